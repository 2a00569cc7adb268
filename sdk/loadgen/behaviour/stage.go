package behaviour

import (
	"fmt"
	"math/rand/v2"

	"github.com/venued/venued/venues"
)

// margin is how far visitors keep from the walls of a floor, metres.
const margin = 0.6

// stage is where visitors walk: the floors of a venue.
type stage struct {
	venue  string
	floors []venues.FloorDescription
	rooms  []venues.AreaDescription
	middle [3]float64 // head of somebody in the middle of the first floor
}

func newStage(d *venues.Description) (*stage, error) {
	if len(d.Floors) == 0 {
		return nil, fmt.Errorf("the venue %q has no floors: there is nowhere to walk", d.ID)
	}
	f := &d.Floors[0]
	return &stage{
		venue: d.ID, floors: d.Floors, rooms: d.Rooms,
		middle: [3]float64{(f.Min[0] + f.Max[0]) / 2, f.Y + eyes, (f.Min[1] + f.Max[1]) / 2},
	}, nil
}

// floorAt returns the floor that a head is on: the one whose volume holds it, else the first.
func (s *stage) floorAt(head [3]float64) *venues.FloorDescription {
	for i := range s.floors {
		f := &s.floors[i]
		if head[0] >= f.Min[0] && head[0] <= f.Max[0] && head[2] >= f.Min[1] && head[2] <= f.Max[1] &&
			head[1] >= f.Y && head[1] <= f.Y+f.Height {
			return f
		}
	}
	return &s.floors[0]
}

// above returns a head above a place on the ground: of the first floor that has it.
func (s *stage) above(at [2]float64) [3]float64 {
	for i := range s.floors {
		if f := &s.floors[i]; at[0] >= f.Min[0] && at[0] <= f.Max[0] && at[1] >= f.Min[1] && at[1] <= f.Max[1] {
			return [3]float64{at[0], f.Y + eyes, at[1]}
		}
	}
	return [3]float64{at[0], s.middle[1], at[1]}
}

// eyes is how high a head is, metres.
const eyes = 1.6

// hold brings a head to within the walls of its floor, and off the ground and the ceiling.
func (s *stage) hold(head [3]float64) [3]float64 {
	f := s.floorAt(head)
	return [3]float64{
		within(head[0], f.Min[0], f.Max[0], margin), within(head[1], f.Y, f.Y+f.Height, 0.1), within(head[2], f.Min[1], f.Max[1], margin),
	}
}

// within brings v to between lo and hi, less a margin, or to their middle if there is no room.
func within(v, lo, hi, margin float64) float64 {
	if hi-lo <= 2*margin {
		return (lo + hi) / 2
	}
	return min(max(v, lo+margin), hi-margin)
}

// goal draws a place on the ground to walk to, from a head: mostly in the same room, now and then anywhere on the floor.
func (s *stage) goal(rng *rand.Rand, head [3]float64) [2]float64 {
	f := s.floorAt(head)
	lo, hi := f.Min, f.Max
	stay := rng.Float64() < 0.7
	for i := range s.rooms {
		r := &s.rooms[i]
		if stay && r.Floor == f.Name && head[0] >= r.Min[0] && head[0] <= r.Max[0] && head[2] >= r.Min[1] && head[2] <= r.Max[1] {
			lo, hi = r.Min, r.Max
			break
		}
	}
	var to [2]float64
	for i := range to {
		to[i] = within(lo[i]+rng.Float64()*(hi[i]-lo[i]), lo[i], hi[i], margin)
	}
	return to
}
