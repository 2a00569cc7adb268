package stream

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/venued/venued/lattice"
)

// region is the dumb twin: whole entities, no deltas.
type region map[uint64]Entity

// next makes up the region's next record and changes the twin accordingly.
func (g region) next(t *rapid.T, n uint64) *Record {
	rec := &Record{
		Venue: "hall", Region: "ground-0", Incarnation: 5, Epoch: 3, N: n,
		Tick: rapid.Uint64().Draw(t, "tick"), Durable: rapid.Uint64().Draw(t, "durable"),
		Start: rapid.Int64().Draw(t, "start"), End: rapid.Int64().Draw(t, "end"),
		Key:    rapid.IntRange(0, 4).Draw(t, "key") == 0,
		Events: rapid.SliceOfN(genEvent, 0, 2).Draw(t, "events"),
	}
	for _, id := range slices.Sorted(maps.Keys(g)) {
		switch rapid.IntRange(0, 5).Draw(t, "fate") {
		case 0:
			delete(g, id)
			if !rec.Key {
				rec.Gone = append(rec.Gone, id)
			}
		case 1, 2:
			x := g[id]
			x.State = genNext(t, x.State)
			if rapid.IntRange(0, 9).Draw(t, "stairs") == 0 {
				x.Floor++
			}
			g[id] = x
			if !rec.Key {
				rec.Entities = append(rec.Entities, x)
			}
		}
	}
	for _, x := range rapid.SliceOfN(genEntity, 0, 2).Draw(t, "new") {
		if _, there := g[x.ID]; there || slices.Contains(rec.Gone, x.ID) {
			continue
		}
		g[x.ID] = x
		if !rec.Key {
			rec.Entities = append(rec.Entities, x)
		}
	}
	if rec.Key {
		for _, id := range slices.Sorted(maps.Keys(g)) {
			rec.Entities = append(rec.Entities, g[id])
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "cursors") {
		rec.Cursors = append(rec.Cursors, Cursor{rapid.Uint64().Draw(t, "session"), rapid.Uint32().Draw(t, "seq")})
	}
	for range rapid.IntRange(0, 2).Draw(t, "extras") {
		rec.Extras = append(rec.Extras, EntityExtras{rapid.Uint64().Draw(t, "of"), genExtras.Draw(t, "extra")})
	}
	if rec.FlightNews = rapid.IntRange(0, 3).Draw(t, "flight news") == 0; rec.FlightNews {
		for range rapid.IntRange(0, 2).Draw(t, "flights") {
			rec.Flights = append(rec.Flights, Flight{rapid.Uint64().Draw(t, "flying"), rapid.Uint64().Draw(t, "flying session"), "ground-1"})
		}
	}
	return rec
}

// TestStreamAgainstWholeStates sends a region's records through loss, duplication and
// requests for key frames; a reader that has not been told of a gap holds exactly the region.
func TestStreamAgainstWholeStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, view := region{}, region{}
		var enc Encoder
		var dec Decoder
		waiting := true
		var sent [][]byte
		for n := uint64(1); n <= 12; n++ {
			want := g.next(t, n)
			msg := enc.Append(nil, want)
			sent = append(sent, msg)
			if rapid.IntRange(0, 6).Draw(t, "lost") == 0 {
				waiting = true
				continue
			}
			got, err := dec.Decode(msg)
			if waiting && !want.Key {
				if !errors.Is(err, ErrGap) {
					t.Fatalf("record %d after a gap: %v", n, err)
				}
				if rapid.Bool().Draw(t, "no answer") {
					continue
				}
				// The owner answers a request with a key frame of its newest record, from an encoder of its own.
				key := &Record{Venue: want.Venue, Region: want.Region, Incarnation: 5, Epoch: 3, N: n, Tick: want.Tick, Key: true}
				for _, id := range slices.Sorted(maps.Keys(g)) {
					key.Entities = append(key.Entities, g[id])
				}
				want = key
				got, err = dec.Decode(new(Encoder).Append(nil, key))
			}
			if err != nil {
				t.Fatalf("record %d: %v", n, err)
			}
			waiting = false
			if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("record %d: %s", n, d)
			}
			if got.Key {
				clear(view)
			}
			for _, x := range got.Entities {
				view[x.ID] = x
			}
			for _, id := range got.Gone {
				delete(view, id)
			}
			if d := cmp.Diff(g, view); d != "" {
				t.Fatalf("after record %d: %s", n, d)
			}
			old := rapid.SampledFrom(sent).Draw(t, "again")
			if _, err := dec.Decode(old); !errors.Is(err, ErrOld) {
				t.Fatalf("a record seen before: %v", err)
			}
		}
	})
}

func record(incarnation, epoch, n uint64, key bool) []byte {
	return new(Encoder).Append(nil, &Record{Incarnation: incarnation, Epoch: epoch, N: n, Key: key})
}

func TestDecoderFollowsTheOwner(t *testing.T) {
	for _, c := range []struct {
		name string
		then []byte
		want error
	}{
		{"the next record", record(1, 4, 11, false), nil},
		{"a later key frame", record(1, 4, 20, true), nil},
		{"the same again", record(1, 4, 10, false), ErrOld},
		{"the same as a key frame", record(1, 4, 10, true), ErrOld},
		{"one missing", record(1, 4, 12, false), ErrGap},
		{"a new epoch's key frame", record(1, 5, 1, true), nil},
		{"a new epoch's delta", record(1, 5, 1, false), ErrGap},
		{"a new incarnation's key frame, whatever its epoch", record(2, 1, 1, true), nil},
		{"a new incarnation's delta", record(2, 1, 1, false), ErrGap},
		{"the owner before, still talking", record(1, 3, 99, true), ErrOld},
	} {
		var d Decoder
		if _, err := d.Decode(record(1, 4, 10, true)); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Decode(c.then); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if c.want == ErrOld {
			if _, err := d.Decode(record(1, 4, 11, false)); err != nil {
				t.Errorf("%s: the next record after it: %v", c.name, err)
			}
		}
		if c.want == ErrGap {
			if _, err := d.Decode(record(1, 4, 11, false)); !errors.Is(err, ErrGap) {
				t.Errorf("%s: a delta before the key frame: %v", c.name, err)
			}
			if _, err := d.Decode(record(1, 4, 13, true)); err != nil {
				t.Errorf("%s: the key frame: %v", c.name, err)
			}
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	key := new(Encoder).Append(nil, &Record{Venue: "v", Region: "r", N: 1, Key: true,
		Entities: []Entity{{ID: 4, Kind: Object, Name: "cup", State: State{Holder: 9, Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 700}}}}}},
		Gone:     []uint64{1}, Events: []Event{{N: 1, Type: "door"}}, Cursors: []Cursor{{1, 2}}})
	extra := new(Encoder).Append(nil, &Record{N: 1, Key: true, Extras: []EntityExtras{{4, lattice.Extras{
		Has:     lattice.AllStreams,
		Fingers: lattice.Fingers{Hands: 3}, Root: lattice.Root{Yaw: 1000},
	}}}})
	for n := range extra {
		var d Decoder
		if _, err := d.Decode(extra[:n]); !errors.Is(err, ErrMalformed) {
			t.Fatalf("extras cut to %d of %d bytes: %v", n, len(extra), err)
		}
	}
	for n := range key {
		var d Decoder
		if _, err := d.Decode(key[:n]); !errors.Is(err, ErrMalformed) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(key), err)
		}
	}
	const limit = lattice.MaxMetres * lattice.Steps
	far := func(head, left lattice.Vec) []byte {
		return new(Encoder).Append(nil, &Record{N: 1, Key: true, Entities: []Entity{{ID: 4, Kind: Avatar, State: State{
			Body: lattice.Body{Head: lattice.Joint{Pos: head}, Left: lattice.Joint{Pos: left}}}}}})
	}
	header := func(key byte) []byte { return []byte{codecVersion<<4 | typeRecord, key, 0, 0, 0, 0, 1, 0, 0, 0, 0} }
	for _, c := range []struct {
		name string
		b    []byte
		says string
	}{
		{"trailing", append(slices.Clone(key), 1), "1 bytes follow"},
		{"other version", []byte{(codecVersion+1)<<4 | typeRecord}, "same release"},
		{"flags", []byte{codecVersion<<4 | typeRecord, 8}, "unknown bits"},
		{"an entity without a description", append(header(1), 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0), "4 was never described"},
		{"more entities than there can be", append(header(1), 200, 1), "do not fit"},
		{"a head outside the lattice", far(lattice.Vec{Y: -limit - 1}, lattice.Vec{}), "outside ±1048576 m"},
		{"a hand outside the lattice", far(lattice.Vec{X: limit}, lattice.Vec{X: limit + 1}), "outside ±1048576 m"},
		{"a hand that wraps around", far(lattice.Vec{X: limit}, lattice.Vec{X: math.MinInt32}), "outside ±1048576 m"},
		{"more extras than fit", append(header(5), 0, 0, 0, 0, 200, 1), "do not fit"},
		{"streams that are not known", append(header(5), 0, 0, 0, 0, 1, 8, 0x20), "unknown bits"},
		{"hands without fingers", append(header(5), 0, 0, 0, 0, 1, 8, 0x08, 0, 0, 0, 0), "has a value"},
		{"a gaze outside", append(header(5), 0, 0, 0, 0, 1, 8, 1, 0x80, 4, 0), "gaze.yaw: 256"},
		{"unknown field bits", append(header(1), 1, 8, hasMore, 0xff, 0, 0, 0, 0, 0, 0, 0), "unknown bits"},
	} {
		var d Decoder
		if _, err := d.Decode(c.b); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want it to say %q", c.name, err, c.says)
		}
		if _, err := d.Decode(key); err != nil {
			t.Errorf("%s: a key frame after it: %v", c.name, err)
		}
	}
}

// FuzzDecoder feeds a decoder a sequence of messages: what it accepts, another encoder and decoder
// carry unchanged.
func FuzzDecoder(f *testing.F) {
	seq := func(msgs ...[]byte) (b []byte) {
		for _, m := range msgs {
			b = binary.LittleEndian.AppendUint16(b, uint16(len(m)))
			b = append(b, m...)
		}
		return b
	}
	var e Encoder
	man := Entity{ID: 3, Kind: Avatar, User: "u", Name: "n", State: State{Body: lattice.Body{Left: lattice.Joint{Pos: lattice.Vec{X: 9}}}}}
	moved := man
	moved.State.Body.Head.Pos.Z = 300
	moved.State.Body.Left = lattice.Joint{}
	f.Add(seq(
		e.Append(nil, &Record{Venue: "v", Region: "r", N: 1, Key: true, Entities: []Entity{man}}),
		e.Append(nil, &Record{Venue: "v", Region: "r", N: 2, Entities: []Entity{moved}, Cursors: []Cursor{{1, 1}}}),
		e.Append(nil, &Record{Venue: "v", Region: "r", N: 3, Extras: []EntityExtras{{3, lattice.Extras{Has: lattice.StreamGaze}}}, Gone: []uint64{3}, Events: []Event{{N: 1, Type: "left"}}}),
	))
	f.Fuzz(func(t *testing.T, b []byte) {
		var d, d2 Decoder
		var e Encoder
		for len(b) >= 2 {
			n := min(int(binary.LittleEndian.Uint16(b)), len(b)-2)
			msg := b[2 : 2+n]
			b = b[2+n:]
			rec, err := d.Decode(msg)
			if err != nil {
				if rec != nil || !errors.Is(err, ErrGap) && !errors.Is(err, ErrOld) && !errors.Is(err, ErrMalformed) {
					t.Fatalf("%v, %v", rec, err)
				}
				continue
			}
			again, err := d2.Decode(e.Append(nil, rec))
			if err != nil {
				t.Fatalf("what was accepted is not accepted again: %v", err)
			}
			if d := cmp.Diff(rec, again, cmpopts.EquateEmpty()); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// crowd is a record of n walking avatars at tick i.
func crowd(n int, i int32) *Record {
	rec := &Record{Venue: "hall", Region: "ground", N: uint64(i) + 1, Tick: uint64(i) + 1, Key: i == 0}
	for j := range int32(n) {
		x := Entity{ID: 1<<32 + uint64(j), Kind: Avatar, Session: uint64(j), User: "user", Name: "name"}
		b := &x.State.Body
		b.Head = lattice.Joint{Pos: lattice.Vec{X: j*900 + i*40, Y: 1700 + (i*7+j)%9, Z: j*300 + i*11}, Rot: lattice.Rot{C: [3]int16{int16(i % 50), int16(j % 700), 3}}}
		b.Left = lattice.Joint{Pos: b.Head.Pos.Add(lattice.Vec{X: 200 + i%13, Y: -700 + j%5, Z: 90 + (i+j)%17}), Rot: lattice.Rot{C: [3]int16{int16(i % 90), 20, 30}}}
		b.Right = lattice.Joint{Pos: b.Head.Pos.Add(lattice.Vec{X: -200 - i%11, Y: -700 + i%5, Z: 90 - (i+j)%19}), Rot: lattice.Rot{C: [3]int16{int16(i % 80), -20, 30}}}
		x.State.AgeMS = uint8(i*3 + j)
		rec.Entities = append(rec.Entities, x)
	}
	return rec
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	var recs []*Record
	for i := range int32(101) {
		recs = append(recs, crowd(50, i))
	}
	var e Encoder
	var d Decoder
	buf := make([]byte, 0, 1<<16)
	i := 0
	step := func() {
		if _, err := d.Decode(e.Append(buf, recs[i])); err != nil {
			t.Fatal(err)
		}
		i++
	}
	step()
	if n := testing.AllocsPerRun(98, step); n != 0 {
		t.Errorf("%g allocations a record", n)
	}
}

// BenchmarkRecord encodes and decodes a delta of 100 walking avatars; the baseline is a copy of the entities.
func BenchmarkRecord(b *testing.B) {
	const users = 100
	recs := [2]*Record{crowd(users, 1), crowd(users, 2)}
	var e Encoder
	e.Append(nil, crowd(users, 0))
	buf := make([]byte, 0, 1<<16)
	b.Run("copy", func(b *testing.B) {
		b.ReportAllocs()
		dst := make([]Entity, users)
		for i := range b.N {
			copy(dst, recs[i&1].Entities)
		}
	})
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		var n int
		for i := range b.N {
			n = len(e.Append(buf, recs[i&1]))
		}
		b.ReportMetric(float64(n)/users, "bytes/entity")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/users, "ns/entity")
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		var d Decoder
		if _, err := d.Decode(new(Encoder).Append(nil, crowd(users, 0))); err != nil {
			b.Fatal(err)
		}
		var msgs [2][]byte
		for i := range msgs {
			msgs[i] = e.Append(nil, recs[i])
		}
		b.ResetTimer()
		for i := range b.N {
			if _, err := d.Decode(msgs[i&1]); err != nil {
				b.Fatal(err)
			}
			d.last.n = 1 - uint64(i&1) + 1 // the two take turns for ever
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/users, "ns/entity")
	})
}
