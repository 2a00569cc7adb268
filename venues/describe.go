package venues

import (
	"github.com/venued/venued/lattice"
)

// Description is what the public may know of a venue before it joins: the geometry
// to build a scene from and the rates to expect. It marshals to JSON with field names that
// stay; new ones may come. Lengths are metres in venue coordinates (right-handed, y up),
// angles degrees about y. Settings of rules and paths of files are not in it.
type Description struct {
	ID           string              `json:"id"`
	Name         string              `json:"name"`
	Lattice      int                 `json:"lattice"` // steps in a metre of the pose lane's integers
	TickHz       int                 `json:"tick_hz"`
	UploadHz     int                 `json:"upload_hz"` // how often clients send poses
	SendHz       int                 `json:"send_hz"`   // how often they get frames
	CellM        float64             `json:"cell_m"`
	GrabWindowMS int                 `json:"grab_window_ms"`
	Limits       LimitsDescription   `json:"limits"`
	Floors       []FloorDescription  `json:"floors"`
	Rooms        []AreaDescription   `json:"rooms"`
	Zones        []AreaDescription   `json:"zones"`
	Spawns       []SpawnDescription  `json:"spawns"`
	Kinds        []KindDescription   `json:"kinds"` // an object's class on the pose lane is an index of this list
	Objects      []ObjectDescription `json:"objects"`
	Doors        []DoorDescription   `json:"doors"` // a door's class on the pose lane is an index of this list
	Rules        []RuleDescription   `json:"rules"`
	Regions      []RegionDescription `json:"regions"`
}

// LimitsDescription is what a client has to keep within.
type LimitsDescription struct {
	Users        int     `json:"users"`
	SpeedMS      float64 `json:"speed_m_s"`
	BurstM       float64 `json:"burst_m"`
	HandReachM   float64 `json:"hand_reach_m"` // hand from head
	GrabReachM   float64 `json:"grab_reach_m"` // hand from object
	EventsPerS   float64 `json:"events_per_s"`
	ResumeGraceS float64 `json:"resume_grace_s"`
}

// FloorDescription is a floor: a rectangle and a volume.
type FloorDescription struct {
	Name   string     `json:"name"`
	Min    [2]float64 `json:"min"` // x, z
	Max    [2]float64 `json:"max"`
	Y      float64    `json:"y"` // the ground
	Height float64    `json:"height"`
}

// AreaDescription is a room or a trigger zone.
type AreaDescription struct {
	Name  string     `json:"name"`
	Floor string     `json:"floor"`
	Min   [2]float64 `json:"min"` // x, z
	Max   [2]float64 `json:"max"`
	Door  string     `json:"door,omitempty"` // of a zone: the door tied to it
}

// SpawnDescription is a place where visitors appear.
type SpawnDescription struct {
	Name   string     `json:"name"`
	Floor  string     `json:"floor"`
	At     [3]float64 `json:"at"`
	Radius float64    `json:"radius"`
	YawDeg float64    `json:"yaw_deg"`
}

// KindDescription is a class of objects.
type KindDescription struct {
	Name      string     `json:"name"`
	Grabbable bool       `json:"grabbable"`
	Usable    bool       `json:"usable"`
	Shape     string     `json:"shape"` // "box", "sphere", "cylinder"
	Size      [3]float64 `json:"size"`  // x, y, z
	Color     string     `json:"color"` // "#rrggbb"
}

// ObjectDescription is an object at the place the manifest gives it, which is not
// where it may be now.
type ObjectDescription struct {
	Name   string     `json:"name"`
	Label  string     `json:"label,omitempty"`
	Kind   string     `json:"kind"`
	Floor  string     `json:"floor"`
	At     [3]float64 `json:"at"`
	YawDeg float64    `json:"yaw_deg"`
	State  uint32     `json:"state"`
}

// DoorDescription is a door as the manifest has it, which is not how it may stand now.
type DoorDescription struct {
	Name    string     `json:"name"`
	Floor   string     `json:"floor"`
	At      [3]float64 `json:"at"` // centre of the leaf, on the ground
	Width   float64    `json:"width"`
	Height  float64    `json:"height"`
	YawDeg  float64    `json:"yaw_deg"` // 0: the leaf spans x
	OpenS   float64    `json:"open_s"`
	Locked  bool       `json:"locked"`
	Zone    string     `json:"zone,omitempty"`
	Between []string   `json:"between,omitempty"` // the rooms it joins
}

// RuleDescription names a rule, so that clients know whose events they hear.
type RuleDescription struct {
	Name  string   `json:"name"`
	Kinds []string `json:"kinds"` // those whose requests it decides
}

// RegionDescription is a region: a part of a floor with one event numbering.
type RegionDescription struct {
	Name  string     `json:"name"`
	Floor string     `json:"floor"`
	Min   [2]float64 `json:"min"` // x, z
	Max   [2]float64 `json:"max"`
}

// corners are a rectangle's in metres: exact.
func (r Rect) corners() (lo, hi [2]float64) {
	m := lattice.Metres
	return [2]float64{m(r.MinX), m(r.MinZ)}, [2]float64{m(r.MaxX), m(r.MaxZ)}
}

func metres(v lattice.Vec) [3]float64 {
	x, y, z := v.Metres()
	return [3]float64{x, y, z}
}

// Sizes returns a kind's lengths along x, y and z, metres.
func (k *Kind) Sizes() [3]float64 {
	if len(k.Size) == 3 {
		return [3]float64(k.Size)
	}
	if len(k.Size) == 1 {
		return [3]float64{k.Size[0], k.Size[0], k.Size[0]}
	}
	return [3]float64{}
}

// Describe makes the public description. Places are those of the lattice.
func (v *Venue) Describe() Description {
	t := &v.Manifest.Venue
	d := Description{
		ID: v.ID, Name: v.Name, Lattice: lattice.Steps,
		TickHz: v.TickHz, UploadHz: v.UploadHz, SendHz: v.SendHz, CellM: t.CellM, GrabWindowMS: t.GrabWindowMS,
		Limits: LimitsDescription{
			Users: t.Limits.Users, SpeedMS: t.Limits.SpeedMS, BurstM: t.Limits.BurstM,
			HandReachM: t.Limits.HandReachM, GrabReachM: t.Limits.GrabReachM,
			EventsPerS: t.Limits.EventsPerS, ResumeGraceS: t.Limits.ResumeGraceS,
		},
		// Empty lists, not null: clients loop over them.
		Floors: []FloorDescription{}, Rooms: []AreaDescription{}, Zones: []AreaDescription{},
		Spawns: []SpawnDescription{}, Kinds: []KindDescription{}, Objects: []ObjectDescription{},
		Doors: []DoorDescription{}, Rules: []RuleDescription{}, Regions: []RegionDescription{},
	}
	for i := range v.Floors {
		f := &v.Floors[i]
		lo, hi := f.Rect.corners()
		d.Floors = append(d.Floors, FloorDescription{f.Name, lo, hi, lattice.Metres(f.MinY), lattice.Metres(f.MaxY - f.MinY)})
	}
	for i := range v.Rooms {
		r := &v.Rooms[i]
		lo, hi := r.Rect.corners()
		d.Rooms = append(d.Rooms, AreaDescription{Name: r.Name, Floor: v.Floors[r.Floor].Name, Min: lo, Max: hi})
	}
	for i := range v.Zones {
		z := &v.Zones[i]
		lo, hi := z.Rect.corners()
		a := AreaDescription{Name: z.Name, Floor: v.Floors[z.Floor].Name, Min: lo, Max: hi}
		if z.Door >= 0 {
			a.Door = v.Doors[z.Door].Name
		}
		d.Zones = append(d.Zones, a)
	}
	for i := range v.Regions {
		r := &v.Regions[i]
		lo, hi := r.Rect.corners()
		d.Regions = append(d.Regions, RegionDescription{r.Name, v.Floors[r.Floor].Name, lo, hi})
	}
	v.describeThings(&d)
	return d
}

// describeThings describes what stands on the floors, and the rules.
func (v *Venue) describeThings(d *Description) {
	for i := range v.Spawns {
		s := &v.Spawns[i]
		d.Spawns = append(d.Spawns, SpawnDescription{s.Name, v.Floors[s.Floor].Name, metres(s.At), lattice.Metres(s.Radius), v.Manifest.Spawns[i].YawDeg})
	}
	for i := range v.Kinds {
		k := &v.Kinds[i]
		d.Kinds = append(d.Kinds, KindDescription{k.Name, k.Grabbable, k.Usable, k.Shape, k.Sizes(), k.Color})
	}
	for i := range v.Objects {
		o := &v.Objects[i]
		d.Objects = append(d.Objects, ObjectDescription{o.Name, o.Label, v.Kinds[o.Kind].Name, v.Floors[o.Floor].Name,
			metres(o.Pose.Pos), v.Manifest.Objects[i].YawDeg, o.State})
	}
	for i := range v.Doors {
		o, m := &v.Doors[i], &v.Manifest.Doors[i]
		d.Doors = append(d.Doors, DoorDescription{
			Name: o.Name, Floor: v.Floors[o.Floor].Name, At: metres(o.Pose.Pos),
			Width: lattice.Metres(o.Width), Height: lattice.Metres(o.Height), YawDeg: m.YawDeg,
			OpenS: m.OpenS, Locked: m.Locked, Zone: m.Zone, Between: m.Between,
		})
	}
	for i := range v.Rules {
		r := RuleDescription{Name: v.Rules[i].Name, Kinds: []string{}}
		for k := range v.Kinds {
			if v.Rules[i].Kinds[k] {
				r.Kinds = append(r.Kinds, v.Kinds[k].Name)
			}
		}
		d.Rules = append(d.Rules, r)
	}
}
