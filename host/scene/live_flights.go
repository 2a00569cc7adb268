package scene

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/venued/venued/host/stream"
)

// captureFlights puts into l what the future of hand-overs depends on.
func (r *Region) captureFlights(l *Live) {
	l.Stored, l.Watched = r.stored, r.watched
	for _, f := range r.flights {
		if f.released {
			continue // the snapshot has it
		}
		r.refresh(f)
		out := LiveFlight{To: f.to, At: f.at, Data: f.data}
		out.Data.Users, out.Data.Objects = slices.Clone(f.data.Users), slices.Clone(f.data.Objects)
		add := func(e *entity) { out.States, out.Sent = append(out.States, e.State), append(out.Sent, e.sent) }
		for _, u := range f.users {
			add(&u.entity)
		}
		for _, o := range f.objects {
			add(&o.entity)
		}
		l.Flights = append(l.Flights, out)
	}
	for k, n := range r.near {
		l.Near = append(l.Near, LivePair{k, n.since, n.active})
	}
	slices.SortFunc(l.Near, func(a, b LivePair) int {
		return cmp.Or(cmp.Compare(a.IDs[0], b.IDs[0]), cmp.Compare(a.IDs[1], b.IDs[1]))
	})
}

func (r *Region) reviveFlights(l *Live) error {
	r.stored, r.watched, r.flightNews = l.Stored, l.Watched, false
	for i := range l.Flights {
		if err := r.reviveFlight(&l.Flights[i]); err != nil {
			return fmt.Errorf("flights[%d]: %w", i, err)
		}
	}
	r.near = make(map[pair]nearness, len(l.Near))
	for _, p := range l.Near {
		r.near[p.IDs] = nearness{p.Since, p.Active}
	}
	return nil
}

func (r *Region) reviveFlight(s *LiveFlight) error {
	i := slices.IndexFunc(r.flights, func(f *flight) bool { return f.to == s.To && f.at == s.At && f.released })
	if i < 0 {
		return fmt.Errorf("message %d to %q is not among those of the snapshot", s.At.N, s.To)
	}
	if err := s.Data.Check(); err != nil {
		return err
	}
	if n := len(s.Data.Users) + len(s.Data.Objects); len(s.States) != n || len(s.Sent) != n {
		return fmt.Errorf("%d states, %d sent: want one for each of %d", len(s.States), len(s.Sent), n)
	}
	f := r.flights[i]
	f.released, f.data = false, s.Data
	f.data.Users, f.data.Objects = slices.Clone(f.data.Users), slices.Clone(f.data.Objects)
	state := func(e *entity, n int) error {
		for _, j := range [...]stream.State{s.States[n], s.Sent[n]} {
			if err := checkBody(&j.Body); err != nil {
				return err
			}
		}
		e.State, e.sent, e.fresh, e.dirty = s.States[n], s.Sent[n], false, false
		return nil
	}
	byID := map[uint64]*user{}
	for n := range f.data.Users {
		u := r.traveller(&f.data.Users[n], f.data.Tick)
		if err := state(&u.entity, n); err != nil {
			return err
		}
		f.users, byID[u.ID] = append(f.users, u), u
	}
	for n := range f.data.Objects {
		x := &f.data.Objects[n]
		g := r.objectGeom(x.Name)
		if g < 0 || x.Holder != 0 && byID[x.Holder] == nil {
			return fmt.Errorf("object %q: %w", x.Name, errForeign)
		}
		o := newObject(r.venue, &r.venue.Objects[g])
		o.ID, o.Hops = x.ID, x.Hops
		if x.Holder != 0 {
			o.hold(byID[x.Holder], x.Hand, x.Offset)
		}
		if err := state(&o.entity, len(f.users)+n); err != nil {
			return err
		}
		f.objects = append(f.objects, o)
	}
	return nil
}
