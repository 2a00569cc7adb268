package migration

import (
	"cmp"
	"slices"
)

// rescue has a region recovered that nobody holds any more.
func (c *Coordinator) rescue(now int64, r *charge) []Out {
	if n := c.nodes[r.holder]; n != nil && now-n.at < c.timing.Suspect {
		if s, _ := n.seat(r.entry.Region); s.State.holds() && s.Epoch >= r.known && c.cfg.Without&GuardAlive == 0 {
			return nil
		}
	}
	wait := c.timing.Suspect
	if c.cfg.Without&GuardAlive != 0 {
		wait /= 4
	}
	if now-r.held < wait {
		return nil
	}
	switch {
	case r.recover == "" || now-r.told >= c.timing.Recover || !c.alive(now, r.recover):
		node := c.spare(now, r)
		if node == "" {
			return nil
		}
		r.recover, r.told = node, now
	case now-r.ordered < c.timing.Resend:
		return nil
	}
	r.ordered = now
	m := c.message(KindRecover, r.recover, r)
	m.Move, m.Source, m.Target = 0, "", ""
	m.Epoch, m.Incarnation = r.known, 0
	return []Out{send(m)}
}

// spare returns the node with the fewest regions that takes one, "" for none; the first by name among equals, and not the one
// that was told last if there is another.
func (c *Coordinator) spare(now int64, r *charge) string {
	type candidate struct {
		name    string
		again   bool
		regions int
	}
	var list []candidate
	for name, n := range c.nodes {
		if c.alive(now, name) && !n.draining {
			list = append(list, candidate{name, name == r.recover, len(n.seats)})
		}
	}
	if len(list) == 0 {
		return ""
	}
	best := slices.MinFunc(list, func(a, b candidate) int {
		if a.again != b.again {
			if a.again {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(a.regions, b.regions), cmp.Compare(a.name, b.name))
	})
	return best.name
}
