package crowd

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// vec is a place in metres, venue coordinates: x, y, z.
type vec = [3]float64

// ground is a place on the ground: x, z.
type ground = [2]float64

// Where visitors stand.
const (
	wall        = 0.3 // from the edge of a floor at least, metres
	beside      = 0.5 // from a zone's edge, outside before the step and inside after it
	nearest     = 0.5 // from a thing
	farthest    = 0.9
	pace        = 1.2 // on the last metres of the way there, metres a second
	hurry       = 4.0 // on a long way: minutes in which nobody is where something can be done would measure nothing
	shortestLag = 8.0 // at one place, seconds
	longestLag  = 40.0
)

// site is where something is to be done.
type site struct {
	things []string // names of objects to stand before
	zone   *zone    // or a zone to stand beside
}

// spot is a place to go to, and for a zone the one inside of it to step to.
type spot struct {
	floor string
	at    ground
	zone  *zone
	in    ground
}

// newSites returns where visitors are wanted for a plan's actions.
func newSites(p *plan.Plan, d *venues.Description, all map[string]*means) (out []site) {
	for _, a := range p.Actions {
		m := all[a.Kind]
		switch {
		case a.Kind == plan.Grab:
			// Twice: most of what people do is done with their hands.
			s := site{things: slices.Sorted(maps.Keys(grabbable(d)))}
			out = append([]site{s}, append(out, s)...)
		case len(m.use) > 0:
			out = append(out, site{things: slices.Sorted(maps.Keys(m.use))})
		}
		for i := range m.zones {
			out = append(out, site{zone: &m.zones[i]})
		}
	}
	return out
}

// siteOf returns where visitor n is wanted: nil for those who roam.
func (c *crowd) siteOf(n int) *site {
	if i := n % (len(c.sites) + 1); i < len(c.sites) {
		return &c.sites[i]
	}
	return nil
}

// spot draws a place of a site for somebody who is at a place; false when there is none to stand at.
func (c *crowd) spot(s *site, from ground, rng *rand.Rand) (spot, bool) {
	if s.zone != nil {
		return alongside(s.zone, from, rng)
	}
	home := c.homes[s.things[rng.IntN(len(s.things))]]
	f := floorAt(c.Venue, home)
	angle, far := 2*math.Pi*rng.Float64(), nearest+rng.Float64()*(farthest-nearest)
	at := ground{home[0] + far*math.Cos(angle), home[2] + far*math.Sin(angle)}
	return spot{floor: f.Name, at: within(f, at)}, true
}

// alongside draws a place beside a zone from where one step leads into it, on the side that is nearest: on the way to another one the visitor
// would walk through the zone.
func alongside(z *zone, from ground, rng *rand.Rand) (best spot, ok bool) {
	along := 0.2 + 0.6*rng.Float64()
	nearest := math.Inf(1)
	for side := range 4 {
		axis, sign, edge := side/2, -1.0, z.min // the axis across the edge, and the way out of the zone
		if side%2 == 1 {
			sign, edge = 1, z.max
		}
		other := 1 - axis
		s := spot{floor: z.floor.Name, zone: z}
		s.at[axis] = edge[axis] + sign*beside
		s.in[axis] = edge[axis] - sign*min(beside, (z.max[axis]-z.min[axis])/2)
		s.at[other] = z.min[other] + along*(z.max[other]-z.min[other])
		s.in[other] = s.at[other]
		if far := math.Hypot(s.at[0]-from[0], s.at[1]-from[1]); far < nearest && s.at == within(z.floor, s.at) {
			best, nearest, ok = s, far, true
		}
	}
	return best, ok
}

// within brings a place to within the walls of a floor.
func within(f *venues.FloorDescription, at ground) ground {
	for i := range at {
		if f.Max[i]-f.Min[i] > 2*wall {
			at[i] = min(max(at[i], f.Min[i]+wall), f.Max[i]-wall)
		} else {
			at[i] = (f.Min[i] + f.Max[i]) / 2
		}
	}
	return at
}

// floorAt returns the floor whose volume holds a place, the first for none.
func floorAt(d *venues.Description, at vec) *venues.FloorDescription {
	for i := range d.Floors {
		f := &d.Floors[i]
		if at[0] >= f.Min[0] && at[0] <= f.Max[0] && at[2] >= f.Min[1] && at[2] <= f.Max[1] && at[1] >= f.Y && at[1] <= f.Y+f.Height {
			return f
		}
	}
	return &d.Floors[0]
}

// speed is how fast a visitor goes who has so far to go.
func speed(far float64) float64 { return min(max(far, pace), hurry) }

// toward goes from one place to another, at most so far.
func toward(from, to ground, far float64) ground {
	dx, dz := to[0]-from[0], to[1]-from[1]
	d := math.Hypot(dx, dz)
	if d <= far {
		return to
	}
	return ground{from[0] + dx/d*far, from[1] + dz/d*far}
}
