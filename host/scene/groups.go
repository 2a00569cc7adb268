package scene

import (
	"cmp"
	"slices"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// People who have something to do with each other go to another region together or not at all. Those are two who have been near each other
// for a while, at least one of whom holds something, or spoke just now; and whoever such a pair shares one of its two with.
const (
	groupNear  = 2 * lattice.Steps     // near from here on,
	groupFar   = 5 * lattice.Steps / 2 // no longer beyond here
	groupS     = 3                     // seconds
	groupBand  = 4 * lattice.Steps     // from the border: people farther inside are not looked at
	groupMost  = 16                    // larger groups are crowds, whose people go one by one
	groupEvery = 4                     // times a second
	groupLooks = 64                    // people who are looked at
)

// pair is two people, by ascending entity id.
type pair [2]uint64

// nearness is since when two people are near each other, and when one of them last held something or spoke.
type nearness struct{ since, active uint64 }

// watchGroups keeps count of who is near whom at the border, now and then.
func (r *Region) watchGroups() {
	every := max(1, uint64(r.venue.TickHz)/groupEvery)
	if r.tick/every == r.watched {
		return
	}
	r.watched = r.tick / every
	inner := r.region.Rect.Grown(-groupBand)
	band := r.band[:0]
	for _, u := range r.users {
		if !u.leaving && !u.away && !(u.floor == r.region.Floor && inner.Contains(u.head())) && len(band) < groupLooks {
			band = append(band, u)
		}
	}
	r.band = band
	old := r.near
	r.near = make(map[pair]nearness, len(old))
	for i, u := range band {
		for _, v := range band[i+1:] {
			if u.floor != v.floor {
				continue
			}
			k := pair{u.ID, v.ID}
			n, was := old[k]
			switch d := u.head().Dist(v.head()); {
			case was && d <= groupFar:
			case d <= groupNear:
				n = nearness{since: r.tick}
			default:
				continue
			}
			if u.engaged() || v.engaged() {
				n.active = r.tick
			}
			r.near[k] = n
		}
	}
	clear(band)
}

// engaged reports whether a person has something in a hand, or speaks.
func (u *user) engaged() bool {
	return u.hands[0] != nil || u.hands[1] != nil || u.State.Flags&stream.FlagSpeaking != 0
}

// groupOf returns the people that a person goes with, the person among them, by ascending entity id.
func (r *Region) groupOf(u *user) []*user {
	group := []*user{u}
	while := groupS * uint64(r.venue.TickHz)
	for i := 0; i < len(group) && len(r.near) > 0; i++ {
		for _, v := range r.users {
			k := pair{min(group[i].ID, v.ID), max(group[i].ID, v.ID)}
			n, near := r.near[k]
			if near && r.tick >= n.since+while && n.active > 0 && r.tick <= n.active+while && !slices.Contains(group, v) {
				if group = append(group, v); len(group) > groupMost {
					return []*user{u}
				}
			}
		}
	}
	slices.SortFunc(group, func(a, b *user) int { return cmp.Compare(a.ID, b.ID) })
	return group
}
