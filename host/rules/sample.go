package rules

import (
	"maps"

	"github.com/venued/venued/abi"
)

// A sample is a small venue in which something of every kind happens, a few seconds long: 12 people, 16 objects of 4 kinds, 4 zones with
// a door each. Everybody walks in, meets objects and doors, and leaves; rules that keep score, count or answer have something to do.
const (
	sampleUsers   = 12
	sampleObjects = 16
	sampleZones   = 4
	sampleTicks   = 20
	sampleTickUS  = 100_000
	metre         = 1 << 10 // in lattice steps
	// sampleEvents is how many events of a kind a tick has at most.
	sampleEvents = 6
)

// Ids as a region gives them out.
const (
	sampleUserID   = 1<<32 + 1
	sampleObjectID = 2<<32 + 1
	sampleDoorID   = 3<<32 + 1
	sampleZoneID   = 4<<32 + 1
)

// sampler makes the batches of a sample for one manifest.
type sampler struct {
	wants abi.Mask
	views abi.Mask
	topic string
	poses bool // the plugin has views of poses; every second tick is one of theirs
	batch *abi.Batch
	buf   []byte
}

func newSampler(m *abi.Manifest) *sampler {
	s := &sampler{wants: m.EventMask(), views: m.ViewMask(), topic: "sample", poses: m.PoseHz() > 0, batch: abi.NewBatch()}
	if len(m.Topics) > 0 {
		s.topic = m.Topics[0]
	}
	return s
}

// event makes the n-th event of a kind in a tick.
func (s *sampler) event(kind abi.EventKind, tick, n int) abi.Event {
	i := tick*sampleEvents + n
	user, object, zone := i%sampleUsers, (i*5+n)%sampleObjects, i%sampleZones
	e := abi.Event{
		Kind: kind, Subject: sampleUserID + uint64(user), Hand: uint8(i & 1), X: int32(user) * metre, Y: 1700, Z: int32(zone) * metre,
		Stamp: uint64(tick+10) * sampleTickUS,
	}
	at := func(object int) {
		e.Object, e.Class, e.Dist = sampleObjectID+uint64(object), uint32(object%4), uint32(200+37*i%400)
	}
	switch kind {
	case abi.EventJoin:
		e.Data = []byte([]string{"Ada", "Grace Hopper", "Ngũgĩ", "\"Zoë\" \\o/"}[i%4])
	case abi.EventLeave:
	case abi.EventEnter, abi.EventExit:
		e.Object, e.Aux, e.Value = sampleZoneID+uint64(zone), sampleDoorID+uint64(zone), uint64(n%3)
	case abi.EventGrab, abi.EventRelease, abi.EventUse, abi.EventDropped:
		at(object)
		if n%3 == 2 {
			e.Holder = sampleUserID + uint64((user+1)%sampleUsers)
		}
		if kind == abi.EventUse {
			e.Value = uint64(i % 5)
		}
	case abi.EventTimer:
		e.Scope, e.Value, e.Aux = abi.ScopeZone, sampleDoorID+uint64(zone), e.Stamp
		e.Subject, e.Object, e.Count = sampleZoneID+uint64(zone), sampleZoneID+uint64(zone), uint32(n%2)
	case abi.EventMessage:
		e.Data = abi.JoinData(nil, s.topic, []byte([]string{`{"answer":"b"}`, "b", "", "\x00\xff not text"}[i%4]))
	case abi.EventSignal:
		e.Subject, e.Object = 0, 1
		e.Data = abi.JoinSignal(nil, "another-rule", s.topic, []byte("42"))
	}
	return e
}

// events makes those of a tick.
func (s *sampler) events(tick int) []abi.Event {
	var out []abi.Event
	for kind := abi.EventJoin; kind < 64; kind++ { // all that a mask can hold
		if !s.wants.Has(uint16(kind)) {
			continue
		}
		for n := range sampleEvents {
			out = append(out, s.event(kind, tick, n))
		}
	}
	return out
}

// fill makes the batch of a tick, or a part of it with some of its events. It is valid until the next call.
func (s *sampler) fill(tick int, events []abi.Event) []byte {
	now := uint64(tick+10) * sampleTickUS
	s.batch.Reset(s.buf, abi.Header{Tick: uint64(tick + 1), TimeUS: now, Seed: uint64(tick) * 0x9e3779b97f4a7c15})
	for i := range events {
		s.batch.Event(&events[i])
	}
	s.rows(tick)
	s.buf = s.batch.Finish()
	return s.buf
}

// rows adds what the plugin's views show.
func (s *sampler) rows(tick int) {
	add := func(kind abi.RowKind, n int, row func(i int) abi.Row) {
		if !s.views.Has(uint16(kind)) {
			return
		}
		for i := range n {
			w := row(i)
			w.Kind = kind
			s.batch.Row(&w)
		}
	}
	add(abi.RowObject, sampleObjects, func(i int) abi.Row {
		return abi.Row{ID: sampleObjectID + uint64(i), Class: uint32(i % 4), X: int32(i) * metre, Z: int32(tick), State: uint32(i)}
	})
	add(abi.RowUser, sampleUsers, func(i int) abi.Row {
		return abi.Row{ID: sampleUserID + uint64(i), X: int32(i) * metre, Y: 1700, Z: int32(tick) * 30}
	})
	add(abi.RowDoor, sampleZones, func(i int) abi.Row {
		return abi.Row{ID: sampleDoorID + uint64(i), State: uint32(i) * 300, Flags: uint16(i & 1)}
	})
	add(abi.RowZone, sampleZones, func(i int) abi.Row {
		return abi.Row{ID: sampleZoneID + uint64(i), State: uint32(i), Aux: sampleDoorID + uint64(i)}
	})
	if s.poses && tick%2 == 0 {
		add(abi.RowPose, 3*sampleUsers, func(i int) abi.Row {
			return abi.Row{
				ID: sampleUserID + uint64(i/3), Class: uint32(i % 3), X: int32(i) * 300, Y: 1700 - int32(i%3)*400, Z: int32(tick) * 30,
				Flags: abi.FlagTracked, Aux: abi.PackRotation(0, 0, 0, abi.RotationOne),
			}
		})
	}
}

// sampleState is a rule's state over a sample: what calls that went well have written, held to the limits that a region keeps.
type sampleState struct {
	manifest *abi.Manifest
	limit    int
	kept     map[sampleKey][]byte
	now      map[sampleKey][]byte // of the running call
	size     int                  // of now
}

type sampleKey struct {
	scope   abi.Scope
	subject uint64
	key     string
}

func newSampleState(m *abi.Manifest) *sampleState {
	s := &sampleState{manifest: m, limit: abi.MaxState, kept: map[sampleKey][]byte{}}
	if m.StateBytes > 0 {
		s.limit = m.StateBytes
	}
	return s
}

// begin starts a call.
func (s *sampleState) begin() {
	s.now, s.size = maps.Clone(s.kept), 0
	for k, v := range s.now {
		s.size += len(k.key) + len(v)
	}
}

// commit keeps what the call wrote.
func (s *sampleState) commit() { s.kept = s.now }

// check returns a negative KV number for a key that there cannot be.
func (s *sampleState) check(k sampleKey) int {
	if k.key == "" {
		return abi.KVTooLarge
	}
	if _, ok := s.manifest.StateKey(k.scope, k.key); !ok {
		return abi.KVUndeclared
	}
	return 0
}

// Get implements abi.KV.
func (s *sampleState) Get(scope abi.Scope, subject uint64, key string) ([]byte, int) {
	k := sampleKey{scope, subject, key}
	if code := s.check(k); code < 0 {
		return nil, code
	}
	v, ok := s.now[k]
	if !ok {
		return nil, abi.KVMissing
	}
	return v, 0
}

// Put implements abi.KV.
func (s *sampleState) Put(scope abi.Scope, subject uint64, key string, value []byte) int {
	k := sampleKey{scope, subject, key}
	if code := s.check(k); code < 0 {
		return code
	}
	size := s.size + len(key) + len(value)
	if old, ok := s.now[k]; ok {
		size -= len(key) + len(old)
	}
	if size > s.limit {
		return abi.KVTooLarge
	}
	s.now[k], s.size = value, size
	return 0
}

// Del implements abi.KV.
func (s *sampleState) Del(scope abi.Scope, subject uint64, key string) int {
	k := sampleKey{scope, subject, key}
	if code := s.check(k); code < 0 {
		return code
	}
	if old, ok := s.now[k]; ok {
		s.size -= len(key) + len(old)
		delete(s.now, k)
	}
	return 0
}
