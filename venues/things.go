package venues

import (
	"fmt"
	"math"
	"regexp"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues/strict"
)

// yaw compiles a turn about y.
func (c *compiler) yaw(path string, deg float64) lattice.Rot {
	if !c.within(path, deg, -360, 360, "degrees") {
		return lattice.Rot{}
	}
	sin, cos := math.Sincos(deg / 2 * math.Pi / 180)
	rot, err := lattice.RotFromQuat(0, sin, 0, cos)
	if err != nil {
		c.add(path, "", "%v", err)
	}
	return rot
}

// point checks that the numbers of a place are in range.
func (c *compiler) point(path string, at []float64) bool {
	ok := c.has(path)
	for axis := range at {
		ok = c.within(fmt.Sprintf("%s[%d]", path, axis), at[axis], -MaxCoordM, MaxCoordM, "m") && ok
	}
	return ok
}

// inRoom checks that r lies in the room that a thing names.
func (c *compiler) inRoom(path string, room int, r Rect, what string) {
	if room < 0 || !c.roomGeom[room].ok {
		return
	}
	if g := &c.roomGeom[room]; !g.rect.encloses(r) || !g.rect.Contains(lattice.Vec{X: r.MinX, Z: r.MinZ}) {
		c.add(path, "", "%s is not wholly in room %s (%v)", what, quoted(c.m.Rooms[room].Name), g.rect)
	}
}

func (c *compiler) spawns() {
	seen := make(map[string]int)
	for i := range c.m.Spawns {
		s, path := &c.m.Spawns[i], fmt.Sprintf("spawn[%d]", i)
		c.name("spawn", i, s.Name, seen)
		room := c.roomOf(path, s.Room)
		floor := c.floorOf(path, s.Floor, room)
		okR := c.within(path+".radius", s.Radius, 0, 50, "m")
		g := SpawnGeom{Name: s.Name, Floor: floor, Rot: c.yaw(path+".yaw_deg", s.YawDeg)}
		if c.point(path+".at", s.At[:]) && okR && c.usable(floor) {
			f := &c.v.Floors[floor]
			g.At = lattice.Vec{X: steps(s.At[0]), Y: f.MinY, Z: steps(s.At[1])}
			g.Radius = steps(s.Radius)
			around := Rect{g.At.X, g.At.Z, g.At.X, g.At.Z}.Grown(g.Radius)
			if !f.Rect.encloses(around) || !f.Rect.Contains(g.At) {
				c.add(path+".at", "move it in or lower its radius", "the spawn point (%g, %g) with its radius of %g m reaches out of floor %s (%v)",
					s.At[0], s.At[1], s.Radius, quoted(f.Name), f.Rect)
			}
			c.inRoom(path+".at", room, around, "the spawn point with its radius")
		}
		c.v.Spawns = append(c.v.Spawns, g)
	}
}

var colorPattern = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

var shapes = []string{"box", "sphere", "cylinder"}

func (c *compiler) kinds() {
	c.kindIndex = make(map[string]int)
	for i := range c.m.Kinds {
		k, path := &c.m.Kinds[i], fmt.Sprintf("kind[%d]", i)
		c.name("kind", i, k.Name, c.kindIndex)
		known := false
		for _, s := range shapes {
			known = known || s == k.Shape
		}
		if !known {
			c.add(path+".shape", strict.DidYouMean(k.Shape, shapes), "there is no shape %s", quoted(k.Shape))
		}
		if len(k.Size) != 1 && len(k.Size) != 3 {
			c.add(path+".size", "write [length] or [x, y, z]", "a size is 1 or 3 lengths, not %d", len(k.Size))
		} else {
			for j, length := range k.Size {
				c.within(fmt.Sprintf("%s.size[%d]", path, j), length, 0.01, 20, "m")
			}
		}
		if !colorPattern.MatchString(k.Color) {
			c.add(path+".color", `write "#rrggbb", as "#8888aa"`, "%s is not a colour", quoted(k.Color))
		}
		c.v.Kinds = append(c.v.Kinds, *k)
	}
}

func (c *compiler) objects() {
	seen := make(map[string]int)
	for i := range c.m.Objects {
		o, path := &c.m.Objects[i], fmt.Sprintf("object[%d]", i)
		c.name("object", i, o.Name, seen)
		c.text(path+".label", o.Label)
		kind, ok := c.kindIndex[o.Kind]
		if !ok && c.has(path+".kind") {
			c.add(path+".kind", strict.DidYouMean(o.Kind, names(c.kindIndex)), "no kind is called %s", quoted(o.Kind))
		}
		room := c.roomOf(path, o.Room)
		floor := c.floorOf(path, o.Floor, room)
		g := ObjectGeom{Name: o.Name, Label: o.Label, Kind: kind, Floor: floor, State: o.State}
		g.Pose.Rot = c.yaw(path+".yaw_deg", o.YawDeg)
		if c.point(path+".at", o.At[:]) && c.usable(floor) {
			f := &c.v.Floors[floor]
			g.Pose.Pos = lattice.Vec{X: steps(o.At[0]), Y: steps(o.At[1]), Z: steps(o.At[2])}
			p := g.Pose.Pos
			switch {
			case !f.Rect.Contains(p):
				c.add(path+".at", "", "(%g, %g, %g) is outside floor %s (%v)", o.At[0], o.At[1], o.At[2], quoted(f.Name), f.Rect)
			case p.Y < f.MinY || p.Y >= f.MaxY:
				c.add(path+".at[1]", "", "height %g m is outside floor %s, whose volume spans y %g to %g m", o.At[1], quoted(f.Name), lattice.Metres(f.MinY), lattice.Metres(f.MaxY))
			}
			here := Rect{p.X, p.Z, p.X, p.Z}
			c.inRoom(path+".at", room, here, "the object")
			g.Region = c.regionOf(floor, here)
		}
		c.v.Objects = append(c.v.Objects, g)
	}
}

func (c *compiler) zones() {
	c.zoneIndex = make(map[string]int)
	c.zoneOK = make([]bool, len(c.m.Zones))
	for i := range c.m.Zones {
		z, path := &c.m.Zones[i], fmt.Sprintf("zone[%d]", i)
		c.name("zone", i, z.Name, c.zoneIndex)
		room := c.roomOf(path, z.Room)
		floor := c.floorOf(path, z.Floor, room)
		g := ZoneGeom{Name: z.Name, Floor: floor, Region: -1, Door: -1}
		var ok bool
		if g.Rect, ok = c.rect(path, z.Min, z.Max); ok && c.usable(floor) {
			f := &c.v.Floors[floor]
			g.Region = c.regionOf(floor, g.Rect)
			switch {
			case !f.Rect.encloses(g.Rect):
				c.add(path, "", "the zone (%v) reaches out of floor %s (%v)", g.Rect, quoted(f.Name), f.Rect)
			case g.Region < 0:
				c.add(path, "move the zone or the cut: a zone belongs to one region", "the zone (%v) lies across a cut of floor %s", g.Rect, quoted(f.Name))
			default:
				c.zoneOK[i] = true
			}
			c.inRoom(path, room, g.Rect, "the zone")
		}
		c.v.Zones = append(c.v.Zones, g)
	}
}

func (c *compiler) doors() {
	seen := make(map[string]int)
	for i := range c.m.Doors {
		d, path := &c.m.Doors[i], fmt.Sprintf("door[%d]", i)
		c.name("door", i, d.Name, seen)
		floor := c.floorOf(path, d.Floor, -1)
		g := DoorGeom{Name: d.Name, Floor: floor, Region: -1, Zone: -1, Locked: d.Locked}
		g.Pose.Rot = c.yaw(path+".yaw_deg", d.YawDeg)
		okW := c.within(path+".width", d.Width, 0.3, 20, "m")
		okH := c.within(path+".height", d.Height, 0.5, 1_000, "m")
		okS := c.within(path+".open_s", d.OpenS, 0.1, 10, "s")
		if c.point(path+".at", d.At[:]) && okW && c.usable(floor) {
			g.Pose.Pos = lattice.Vec{X: steps(d.At[0]), Y: c.v.Floors[floor].MinY, Z: steps(d.At[1])}
			g.Width = steps(d.Width)
			c.doorPlace(path, d, &g)
			c.doorRooms(path, d, &g)
		}
		if okH && c.usable(floor) {
			g.Height = steps(d.Height)
			if f := &c.v.Floors[floor]; g.Height > f.MaxY-f.MinY {
				c.add(path+".height", "", "the door is %g m high, floor %s only %g m", d.Height, quoted(f.Name), lattice.Metres(f.MaxY-f.MinY))
			}
		}
		if okS && c.v.TickHz > 0 {
			g.PermilleByTick = uint32(max(1, math.Round(1000/(d.OpenS*float64(c.v.TickHz)))))
		}
		c.doorZone(path, i, d, &g)
		c.v.Doors = append(c.v.Doors, g)
	}
}

// doorPlace checks where the leaf stands.
func (c *compiler) doorPlace(path string, d *Door, g *DoorGeom) {
	f := &c.v.Floors[g.Floor]
	half := g.Pose.Rot.Rotate(lattice.Vec{X: g.Width / 2})
	a, b := g.Pose.Pos.Add(half), g.Pose.Pos.Sub(half)
	span := Rect{min(a.X, b.X), min(a.Z, b.Z), max(a.X, b.X), max(a.Z, b.Z)}
	g.Region = c.regionOf(g.Floor, span)
	switch {
	case !f.Rect.encloses(span):
		c.add(path+".at", "", "the door's leaf (%v) reaches out of floor %s (%v)", span, quoted(f.Name), f.Rect)
	case g.Region < 0:
		c.add(path+".at", "move the door or the cut: a door belongs to one region", "the door's leaf (%v) lies across a cut of floor %s", span, quoted(f.Name))
	}
}

// doorSlack is how far the middle of a door may be from the rooms it joins: a wall's
// thickness.
const doorSlack = lattice.Steps / 2

// doorRooms checks the rooms that a door joins.
func (c *compiler) doorRooms(path string, d *Door, g *DoorGeom) {
	if len(d.Between) == 0 {
		return
	}
	if len(d.Between) != 2 || d.Between[0] == d.Between[1] {
		c.add(path+".between", "", "a door joins two different rooms")
		return
	}
	for j, name := range d.Between {
		at := fmt.Sprintf("%s.between[%d]", path, j)
		room, ok := c.roomIndex[name]
		if !ok {
			c.add(at, strict.DidYouMean(name, names(c.roomIndex)), "no room is called %s", quoted(name))
			continue
		}
		r := &c.roomGeom[room]
		if r.ok && (r.floor != g.Floor || !r.rect.Grown(doorSlack).Contains(g.Pose.Pos)) {
			c.add(at, "", "the door stands more than 0.5 m from room %s (%v)", quoted(name), r.rect)
		}
	}
}

// doorZone ties a door to its zone.
func (c *compiler) doorZone(path string, i int, d *Door, g *DoorGeom) {
	if d.Zone == "" {
		return
	}
	z, ok := c.zoneIndex[d.Zone]
	if !ok {
		c.add(path+".zone", strict.DidYouMean(d.Zone, names(c.zoneIndex)), "no zone is called %s", quoted(d.Zone))
		return
	}
	zone := &c.v.Zones[z]
	if zone.Door >= 0 {
		c.add(path+".zone", "give each door a zone of its own", "zone %s is tied to door[%d]%s already", quoted(d.Zone), zone.Door, c.line(fmt.Sprintf("door[%d]", zone.Door)))
		return
	}
	zone.Door, g.Zone = i, z
	if c.zoneOK[z] && g.Region >= 0 && zone.Region != g.Region {
		c.add(path+".zone", "a door and its zone belong to one region", "zone %s lies in region %s, the door in %s",
			quoted(d.Zone), quoted(c.v.Regions[zone.Region].Name), quoted(c.v.Regions[g.Region].Name))
	}
}
