package console

import (
	"math"
	"slices"
	"strconv"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// floor is what the regions' records show of everybody and everything.
type floor struct {
	venue  *venues.Venue
	things map[uint64]*seen
	gone   []uint64 // since the last change that was told
	order  []uint64 // ids in the order they appeared: what is told is in a stable order
}

// seen is one thing, as it is and as it was told last.
type seen struct {
	stream.Entity
	region int
	told   stream.State
	fresh  bool // not told yet
	placed bool // moved and nothing else, since it was told
	other  bool // something else changed
}

func newFloor(v *venues.Venue) *floor { return &floor{venue: v, things: map[uint64]*seen{}} }

// apply takes a record of a region.
func (f *floor) apply(region int, rec *stream.Record) {
	if rec.Key {
		there := make(map[uint64]bool, len(rec.Entities))
		for i := range rec.Entities {
			there[rec.Entities[i].ID] = true
		}
		for _, id := range slices.Clone(f.order) {
			if f.things[id].region == region && !there[id] {
				f.remove(id)
			}
		}
	}
	for i := range rec.Entities {
		e := &rec.Entities[i]
		s := f.things[e.ID]
		if s != nil && s.region != region && s.Hops > e.Hops {
			continue // it was handed over to another region, whose record came first
		}
		if s == nil {
			s = &seen{fresh: true}
			f.things[e.ID] = s
			f.order = append(f.order, e.ID)
		}
		s.other = s.other || s.region != region || s.Floor != e.Floor || s.Name != e.Name
		s.Entity, s.region = *e, region
		told := s.told
		s.placed = told.Body.Head != e.State.Body.Head
		told.Body, told.AgeMS = e.State.Body, e.State.AgeMS
		told.Flags = told.Flags&^ignoredFlags | e.State.Flags&ignoredFlags
		s.other = s.other || told != e.State
	}
	for _, id := range rec.Gone {
		if s := f.things[id]; s != nil && s.region == region {
			f.remove(id)
		}
	}
}

// ignoredFlags do not show on the map.
const ignoredFlags = stream.FlagJump | stream.FlagSpeaking

func (f *floor) remove(id uint64) {
	if !f.things[id].fresh {
		f.gone = append(f.gone, id)
	}
	delete(f.things, id)
	f.order = slices.DeleteFunc(f.order, func(x uint64) bool { return x == id })
}

// change returns what is different from what was told, nil for nothing, and counts it as told.
func (f *floor) change() *MapChange {
	c := &MapChange{Changed: []Thing{}, Moved: []Moved{}, Gone: []string{}}
	for _, id := range f.gone {
		if f.things[id] == nil { // else it is back already
			c.Gone = append(c.Gone, decimal(id))
		}
	}
	f.gone = f.gone[:0]
	for _, id := range f.order {
		s := f.things[id]
		switch {
		case s.fresh || s.other:
			c.Changed = append(c.Changed, f.thing(s))
		case s.placed:
			c.Moved = append(c.Moved, Moved{Id: decimal(id), P: point(s.State.Body.Head.Pos), Yaw: yaw(s.State.Body.Head.Rot)})
		default:
			continue
		}
		s.told, s.fresh, s.placed, s.other = s.State, false, false, false
	}
	if len(c.Changed)+len(c.Moved)+len(c.Gone) == 0 {
		return nil
	}
	return c
}

// state returns everything as it is now.
func (f *floor) state() *MapState {
	m := &MapState{Things: make([]Thing, 0, len(f.order))}
	for _, id := range f.order {
		m.Things = append(m.Things, f.thing(f.things[id]))
	}
	return m
}

// poseAge is the mean age of people's samples, milliseconds; those away are left out.
func (f *floor) poseAge() float64 {
	sum, n := 0, 0
	for _, s := range f.things {
		if s.Kind == stream.Avatar && s.State.Flags&stream.FlagAway == 0 {
			sum += int(s.State.AgeMS)
			n++
		}
	}
	return float64(sum) / float64(max(n, 1))
}

var kindNames = map[stream.EntityKind]ThingKind{stream.Avatar: ThingKindPerson, stream.Object: ThingKindObject, stream.Door: ThingKindDoor}

func (f *floor) thing(s *seen) Thing {
	t := Thing{
		Id: decimal(s.ID), Kind: kindNames[s.Kind], Name: s.Name, Region: f.venue.Regions[s.region].Name,
		Floor: f.venue.Floors[min(int(s.Floor), len(f.venue.Floors)-1)].Name,
		P:     point(s.State.Body.Head.Pos), Yaw: yaw(s.State.Body.Head.Rot),
	}
	switch s.Kind {
	case stream.Avatar:
		t.User, t.Session = ptr(s.User), ptr(decimal(s.Session))
		if s.State.Flags&stream.FlagAway != 0 {
			t.Away = ptr(true)
		}
	case stream.Object:
		t.Class, t.Value = ptr(int(s.Class)), ptr(int64(s.State.Value))
		if s.State.Holder != 0 {
			t.Holder, t.Hand = ptr(decimal(s.State.Holder)), ptr(ThingHandLeft)
			if s.State.Flags&stream.FlagRight != 0 {
				t.Hand = ptr(ThingHandRight)
			}
		}
	case stream.Door:
		t.Class, t.Value = ptr(int(s.Class)), ptr(int64(s.State.Value))
		t.Locked = ptr(s.State.Flags&stream.FlagLocked != 0)
	}
	return t
}

func ptr[T any](v T) *T { return &v }

func decimal(id uint64) string { return strconv.FormatUint(id, 10) }

// point is a position in metres, to the millimetre: it is looked at, not computed with.
func point(v lattice.Vec) Point {
	x, y, z := v.Metres()
	return Point{round(x), round(y), round(z)}
}

func round(m float64) float64 { return math.Round(m*1000) / 1000 }

// yaw is the turn about y, radians: 0 looks along -z, positive to the left.
func yaw(q lattice.Rot) float64 {
	x, y, z, w := q.Quat()
	// The image of -z.
	fx, fz := -2*(x*z+w*y), -(1 - 2*(x*x+y*y))
	return round(math.Atan2(-fx, -fz))
}
