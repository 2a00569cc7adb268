package venues

import (
	"fmt"
	"slices"

	"github.com/venued/venued/venues/strict"
)

// MaxPresenters is how many visitors present at one time: seen from everywhere on their floor they cost every client
// the full rate.
const MaxPresenters = 8

// interest compiles [venue.interest] and the portals.
func (c *compiler) interest() {
	t := &c.m.Venue.Interest
	c.within("venue.interest.near", float64(t.Near), 8, 256, "")
	c.v.Interest.Near = t.Near
	for i, name := range t.PresenterZones {
		path := fmt.Sprintf("venue.interest.presenter_zones[%d]", i)
		z, ok := c.zoneIndex[name]
		switch {
		case !ok:
			c.add(path, strict.DidYouMean(name, names(c.zoneIndex)), "no zone is called %s", quoted(name))
		case slices.Contains(c.v.Interest.Presenters, z):
			c.add(path, "", "zone %s is named twice", quoted(name))
		default:
			c.v.Interest.Presenters = append(c.v.Interest.Presenters, z)
		}
	}
	for i := range c.m.Portals {
		c.portal(fmt.Sprintf("portal[%d]", i), c.m.Portals[i].Between)
	}
}

// portal compiles one portal.
func (c *compiler) portal(path string, between []string) {
	if len(between) != 2 || between[0] == between[1] {
		if c.has(path + ".between") {
			c.add(path+".between", "write the names of two rooms", "a portal joins two different rooms")
		}
		return
	}
	var pair [2]int
	for j, name := range between {
		room, ok := c.roomIndex[name]
		if !ok {
			c.add(fmt.Sprintf("%s.between[%d]", path, j), strict.DidYouMean(name, names(c.roomIndex)), "no room is called %s", quoted(name))
			return
		}
		pair[j] = room
	}
	a, b := &c.roomGeom[pair[0]], &c.roomGeom[pair[1]]
	if a.ok && b.ok && a.floor != b.floor {
		c.add(path+".between", "floors do not see each other", "rooms %s and %s are on different floors", quoted(between[0]), quoted(between[1]))
		return
	}
	c.v.Interest.Portals = append(c.v.Interest.Portals, pair)
}
