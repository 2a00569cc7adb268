package rtc

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// script is a small region for tests: it takes sessions in and out, follows poses, grants
// every grab, and publishes records. What a test wants it to do otherwise goes through do. Its tick
// is driven by a timer, as a node's would be.
type script struct {
	t     *testing.T
	conn  *bus.Conn
	venue *venues.Venue
	subs  []*bus.Sub
	start time.Time
	ops   chan func()
	stop  chan struct{}
	ended chan struct{}

	// Owned by the loop.
	enc         stream.Encoder
	incarnation uint64
	epoch       uint64
	n, tick     uint64
	nextID      uint64
	entities    map[uint64]*stream.Entity // by id
	changed     map[uint64]bool
	extras      map[uint64]lattice.Extras // by entity
	told        map[uint64]bool           // of optional streams
	gone        []uint64
	cursors     map[uint64]uint32
	moved       map[uint64]bool
	ring        []stream.Event
	fresh       []stream.Event
	eventN      uint64
	durable     uint64
	inputs      []stream.Input // everything but poses
	poses       []stream.Input
	deafFor     int // input batches to ignore
	holdCursors bool
	silent      bool // publish nothing
	users       int

	placeErr error
	places   map[string]lattice.Joint
	watchers []watcher
}

type watcher struct {
	cond func() bool
	done chan struct{}
}

func newScript(t *testing.T, s *bus.Server, v *venues.Venue) *script {
	t.Helper()
	conn, err := s.Connect("region")
	if err != nil {
		t.Fatal(err)
	}
	r := &script{
		t: t, conn: conn, venue: v, start: time.Now().Add(-time.Hour),
		ops: make(chan func(), 1024), stop: make(chan struct{}), ended: make(chan struct{}),
		incarnation: 1, epoch: 1, nextID: 100,
		entities: map[uint64]*stream.Entity{}, changed: map[uint64]bool{},
		cursors: map[uint64]uint32{}, moved: map[uint64]bool{}, users: 1000,
		places: map[string]lattice.Joint{}, extras: map[uint64]lattice.Extras{}, told: map[uint64]bool{},
	}
	region := v.Regions[0].Name
	r.entities[7] = &stream.Entity{ID: 7, Kind: stream.Object, Name: "ball", State: stream.State{
		Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 5 * lattice.Steps, Y: lattice.Steps, Z: 5 * lattice.Steps}}}}}
	sub := func(s *bus.Sub, err error) {
		if err != nil {
			t.Fatal(err)
		}
		r.subs = append(r.subs, s)
	}
	sub(conn.Subscribe(bus.Inputs(v.ID, region), func(m bus.Msg) {
		var h stream.BatchHeader
		in, err := stream.DecodeInputs(m.Data, &h, nil)
		if err != nil {
			t.Errorf("inputs: %v", err)
			return
		}
		r.post(func() { r.take(in) })
	}))
	sub(conn.Handle(bus.Key(v.ID, region), func(bus.Msg) ([]byte, error) {
		out := make(chan []byte, 1)
		r.post(func() {
			if r.n == 0 || r.silent {
				out <- nil
				return
			}
			rec := r.key()
			var e stream.Encoder
			out <- e.Append(nil, &rec)
		})
		b := <-out
		if b == nil {
			return nil, fmt.Errorf("no record yet")
		}
		return b, nil
	}))
	sub(conn.Handle(bus.Place(v.ID), func(m bus.Msg) ([]byte, error) {
		var q bus.PlaceRequest
		if err := json.Unmarshal(m.Data, &q); err != nil {
			return nil, err
		}
		var p bus.PlaceReply
		var err error
		r.do(func() {
			p.At, p.Has = r.places[q.User]
			err = r.placeErr
		})
		if err != nil {
			return nil, err
		}
		return json.Marshal(p)
	}))
	go r.loop()
	t.Cleanup(func() {
		for _, s := range r.subs {
			s.Stop()
		}
		close(r.stop)
		<-r.ended
		conn.Close()
	})
	return r
}

func (r *script) post(f func()) {
	select {
	case r.ops <- f:
	case <-r.ended:
	}
}

// do runs f in the region's loop and waits.
func (r *script) do(f func()) {
	done := make(chan struct{})
	r.post(func() { f(); close(done) })
	select {
	case <-done:
	case <-r.ended:
	}
}

// until waits until cond, which is asked in the region's loop after each tick and batch, holds.
func (r *script) until(t *testing.T, what string, cond func() bool) {
	t.Helper()
	done := make(chan struct{})
	r.post(func() { r.watchers = append(r.watchers, watcher{cond, done}); r.look() })
	await(t, done, what)
}

func (r *script) look() {
	r.watchers = slices.DeleteFunc(r.watchers, func(w watcher) bool {
		if !w.cond() {
			return false
		}
		close(w.done)
		return true
	})
}

func (r *script) loop() {
	defer close(r.ended)
	ticker := time.NewTicker(time.Duration(r.venue.TickUS()) * time.Microsecond)
	defer ticker.Stop()
	for {
		select {
		case <-r.stop:
			// Calls that are under way get their answers.
			for {
				select {
				case f := <-r.ops:
					f()
				default:
					return
				}
			}
		case f := <-r.ops:
			f()
		case <-ticker.C:
			r.publish()
		}
		r.look()
	}
}

func (r *script) bySession(id uint64) *stream.Entity {
	for _, e := range r.entities {
		if e.Session == id && id != 0 {
			return e
		}
	}
	return nil
}

func (r *script) take(in []stream.Input) {
	if r.deafFor > 0 {
		r.deafFor--
		return
	}
	for i := range in {
		x := &in[i]
		e := r.bySession(x.Session)
		if x.Kind == stream.InputPose {
			if e != nil {
				r.poses = append(r.poses, *x)
				e.State.Body = x.Body
				e.State.Flags &^= stream.FlagSpeaking
				if x.Speaking {
					e.State.Flags |= stream.FlagSpeaking
				}
				if x.Said != 0 {
					now := r.extras[e.ID]
					now.Put(x.Said, &x.Extras)
					r.extras[e.ID], r.told[e.ID] = now, true
				}
				r.changed[e.ID] = true
			}
			continue
		}
		r.inputs = append(r.inputs, *x)
		switch {
		case x.Kind == stream.InputJoin && e == nil:
			r.join(x)
		case e == nil:
		case x.Kind == stream.InputAway:
			e.State.Flags |= stream.FlagAway
			r.changed[e.ID] = true
		case x.Kind == stream.InputBack:
			e.State.Flags &^= stream.FlagAway
			r.changed[e.ID] = true
		case x.Kind == stream.InputLeave:
			r.remove(e.ID)
		case x.Kind.Key() && x.Seq == r.cursors[x.Session]+1 && !r.holdCursors:
			r.cursors[x.Session] = x.Seq
			r.moved[x.Session] = true
			r.decide(x, e)
		}
	}
}

func (r *script) join(x *stream.Input) {
	count := 0
	for _, o := range r.entities {
		if o.Kind != stream.Avatar {
			continue
		}
		count++
		if o.User == x.User {
			r.emit(stream.Event{Audience: stream.ToSession, Session: o.Session, Type: "replaced", Body: []byte(`{"code":4002}`)})
			r.remove(o.ID)
			count--
			break
		}
	}
	if count >= r.users {
		r.emit(stream.Event{Audience: stream.ToSession, Session: x.Session, Type: "refused", Body: []byte(`{"code":3502,"msg":"full"}`)})
		return
	}
	r.nextID++
	at := lattice.Joint{Pos: lattice.Vec{X: 5 * lattice.Steps, Y: 1700, Z: 5 * lattice.Steps}}
	if x.HasPlace {
		at = x.Body.Head
	}
	r.entities[r.nextID] = &stream.Entity{ID: r.nextID, Kind: stream.Avatar, Session: x.Session, User: x.User, Name: x.Name,
		State: stream.State{Body: lattice.Body{Head: at, Left: at, Right: at}}}
	r.changed[r.nextID] = true
}

func (r *script) remove(id uint64) {
	delete(r.entities, id)
	delete(r.changed, id)
	r.gone = append(r.gone, id)
}

func (r *script) decide(x *stream.Input, e *stream.Entity) {
	ev := stream.Event{Session: x.Session, Seq: x.Seq, At: e.State.Body.Head.Pos}
	switch x.Kind {
	case stream.InputGrab:
		o := r.entities[x.Object]
		if o == nil {
			ev.Audience, ev.Type, ev.Body = stream.ToSession, "denied", fmt.Appendf(nil, `{"object":"%d","code":113,"name":"denied_unknown","msg":"no such thing"}`, x.Object)
			break
		}
		o.State.Holder = e.ID
		r.changed[o.ID] = true
		ev.Audience, ev.Entity, ev.Type, ev.Rule = stream.ToNear, x.Object, "grabbed", "grab@1"
		ev.Body = fmt.Appendf(nil, `{"object":"%d","by":"%d","hand":"left"}`, x.Object, e.ID)
	case stream.InputMessage:
		ev.Audience, ev.Type, ev.Body = stream.ToRegion, "rule", fmt.Appendf(nil, `{"name":%q,"data":%s}`, x.Topic, x.Data)
	default:
		return
	}
	r.emit(ev)
}

// emit numbers an event.
func (r *script) emit(e stream.Event) {
	r.eventN++
	e.N, e.Tick, e.TimeUS = r.eventN, r.tick+1, time.Since(r.start).Microseconds()
	r.fresh = append(r.fresh, e)
	r.ring = append(r.ring, e)
}

func (r *script) header() stream.Record {
	return stream.Record{Venue: r.venue.ID, Region: r.venue.Regions[0].Name, Incarnation: r.incarnation,
		Epoch: r.epoch, N: r.n, Tick: r.tick, Durable: r.durable,
		Start: int64(r.tick) * r.venue.TickUS(), End: int64(r.tick)*r.venue.TickUS() + tookUS}
}

// tookUS is how long every tick of the script says that it took.
const tookUS = 123

func (r *script) sorted(ids map[uint64]bool) []stream.Entity {
	var out []stream.Entity
	for id, e := range r.entities {
		if ids == nil || ids[id] {
			out = append(out, *e)
		}
	}
	slices.SortFunc(out, func(a, b stream.Entity) int { return int(int64(a.ID) - int64(b.ID)) })
	return out
}

func (r *script) key() stream.Record {
	rec := r.header()
	rec.Key, rec.Entities, rec.Events = true, r.sorted(nil), r.ring
	for id, e := range r.extras {
		rec.Extras = append(rec.Extras, stream.EntityExtras{ID: id, Extras: e})
	}
	for s, c := range r.cursors {
		rec.Cursors = append(rec.Cursors, stream.Cursor{Session: s, Seq: c})
	}
	return rec
}

func (r *script) publish() {
	if r.silent {
		return
	}
	r.tick = uint64(time.Since(r.start).Microseconds() / r.venue.TickUS())
	r.n++
	var rec stream.Record
	if r.n%30 == 1 {
		rec = r.key()
	} else {
		rec = r.header()
		rec.Entities, rec.Gone, rec.Events = r.sorted(r.changed), r.gone, r.fresh
		for id := range r.told {
			rec.Extras = append(rec.Extras, stream.EntityExtras{ID: id, Extras: r.extras[id]})
		}
		for s := range r.moved {
			rec.Cursors = append(rec.Cursors, stream.Cursor{Session: s, Seq: r.cursors[s]})
		}
	}
	data := r.enc.Append(nil, &rec)
	clear(r.changed)
	clear(r.told)
	clear(r.moved)
	r.gone, r.fresh = nil, nil
	if err := r.conn.Publish(bus.Records(r.venue.ID, rec.Region), data); err != nil {
		r.t.Errorf("record: %v", err)
	}
}

// restart is a crash of the region and its start from the store: a new epoch, avatars away, and
// what back does to its state.
func (r *script) restart(back func()) {
	r.do(func() {
		r.incarnation++
		r.epoch++
		r.n, r.enc = 0, stream.Encoder{}
		for _, e := range r.entities {
			if e.Kind == stream.Avatar {
				e.State.Flags |= stream.FlagAway
			}
		}
		r.gone, r.fresh = nil, nil
		if back != nil {
			back()
		}
	})
}
