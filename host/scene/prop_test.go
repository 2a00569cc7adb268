package scene

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// player makes random inputs for a few people, the way gateways would deliver them: mostly in order, sometimes again,
// sometimes with a number missing.
type player struct {
	seqs   map[uint64]uint32
	poses  map[uint64]uint16
	topics []string // default: all
}

// topics are what people say; the harmless ones make no rule fail.
var (
	harmless = []string{"state", "teleport", "note", "say", "hello", "score", "signal", "announce", "count"}
	topics   = append([]string{"trap", "loop", "half", "put"}, harmless...)
)

func (p *player) inputs(t *rapid.T, r *Region) []stream.Input {
	n := rapid.IntRange(0, 6).Draw(t, "inputs")
	var out []stream.Input
	now := r.serverTime(r.tick + 1)
	for range n {
		session := rapid.Uint64Range(1, 9).Draw(t, "session")
		x := stream.Input{Session: session, Arrival: now - rapid.Int64Range(0, 50_000).Draw(t, "late")}
		x.Stamp = x.Arrival - rapid.Int64Range(-1000, 400_000).Draw(t, "early")
		x.Kind = rapid.SampledFrom([]stream.InputKind{
			stream.InputJoin, stream.InputJoin, stream.InputPose, stream.InputPose, stream.InputPose, stream.InputGrab, stream.InputGrab,
			stream.InputGrab, stream.InputRelease, stream.InputUse, stream.InputMessage, stream.InputAway, stream.InputBack, stream.InputLeave,
		}).Draw(t, "kind")
		u := r.sessions[session]
		switch x.Kind {
		case stream.InputJoin:
			// Sessions 7 to 9 are of people who have another one.
			x.User, x.Load = fmt.Sprintf("user%d", session%6), session == 5
			x.HasPlace = rapid.Bool().Draw(t, "placed")
			x.Body.Head.Pos = drawPlace(t)
		case stream.InputPose:
			p.poses[session]++
			x.PoseSeq = p.poses[session]
			x.Body = standing(lattice.Joint{Pos: drawPlace(t), Rot: drawRot(t)})
			x.Body.Right.Pos = drawPlace(t)
		case stream.InputBack:
			x.HasPlace = rapid.Bool().Draw(t, "placed")
			x.Body.Head.Pos = drawPlace(t)
		}
		if x.Kind.Key() {
			x.Object, x.Hand = 1<<32|rapid.Uint64Range(1, 6).Draw(t, "object"), uint8(rapid.IntRange(0, 1).Draw(t, "hand"))
			x.HandAt.Pos = drawPlace(t)
			if o := r.objectByID(x.Object); o != nil && rapid.IntRange(0, 4).Draw(t, "near") > 0 {
				x.HandAt = o.State.Body.Head
			}
			list := p.topics
			if list == nil {
				list = topics
			}
			x.Topic, x.Data = rapid.SampledFrom(list).Draw(t, "topic"), []byte(`{"X":1,"Y":1,"Z":1}`)
			x.Seq = p.seqs[session] + 1
			switch rapid.IntRange(0, 9).Draw(t, "order") {
			case 0:
				x.Seq--
			case 1:
				x.Seq++
			default:
				if u != nil {
					p.seqs[session]++
				}
			}
			if u != nil {
				// Whatever got lost, the gateway goes on from the cursor it knows.
				p.seqs[session] = max(p.seqs[session], u.cursor)
			}
		}
		out = append(out, x)
	}
	return out
}

// drawPlace draws points near the objects mostly, and some outside the hall.
func drawPlace(t *rapid.T) lattice.Vec {
	return lattice.Vec{
		X: rapid.Int32Range(-12, 12).Draw(t, "x") * lattice.Steps / 2,
		Y: rapid.Int32Range(-1, 5).Draw(t, "y") * lattice.Steps / 2,
		Z: rapid.Int32Range(-7, 7).Draw(t, "z") * lattice.Steps / 2,
	}
}

func drawRot(t *rapid.T) lattice.Rot {
	return rapid.SampledFrom([]lattice.Rot{{}, {C: [3]int16{0, 700, 0}}, {Largest: 2, C: [3]int16{300, -200, 100}}}).Draw(t, "rot")
}

// TestRegion plays random inputs and holds the region against dumb twins: what a reader of the stream has, who holds
// what, how far people got, which inputs count, and what a restart brings back.
func TestRegion(t *testing.T) {
	venues := map[int]*world{0: newWorld(t, hall(t, 0, 5)), 100: newWorld(t, hall(t, 100, 5))}
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.SampledFrom([]int{0, 100}).Draw(t, "window")
		w := newWorld(t, venues[window].venue)
		again := newWorld(t, venues[window].venue)
		p := &player{seqs: map[uint64]uint32{}, poses: map[uint64]uint16{}}
		reader := map[uint64]stream.Entity{}
		bucket := map[uint64]int64{}
		cursors := map[uint64]uint32{}
		events := uint64(0)
		for range rapid.IntRange(1, 60).Draw(t, "ticks") {
			in := p.inputs(t, w.region)
			wantCursors(w.region, cursors, in)
			before := heads(w.region)
			fx := w.step(in...)

			other := again.step(in...)
			a, _ := json.Marshal(fx)
			b, _ := json.Marshal(other)
			if string(a) != string(b) {
				t.Fatalf("the same inputs gave different effects:\n%s\n%s", a, b)
			}

			for _, e := range fx.Entities {
				reader[e.ID] = e
			}
			for _, id := range fx.Gone {
				delete(reader, id)
			}
			key := w.region.Key()
			if len(reader) != len(key.Entities) {
				t.Fatalf("a reader knows %d entities, there are %d", len(reader), len(key.Entities))
			}
			for _, e := range key.Entities {
				if diff := gocmp.Diff(e, reader[e.ID]); diff != "" {
					t.Fatalf("a reader's view of %s differs:\n%s", e.Name, diff)
				}
			}
			for _, e := range fx.Events {
				if events++; e.N != events {
					t.Fatalf("event number %d after %d", e.N, events-1)
				}
				if !json.Valid(e.Body) {
					t.Fatalf("event %s: body is not JSON: %s", e.Type, e.Body)
				}
			}
			checkHolders(t, w.region)
			checkMoves(t, w.region, before, bucket)
			for _, u := range w.region.users {
				if u.cursor != cursors[u.Session] {
					t.Fatalf("cursor of %d is %d, want %d", u.Session, u.cursor, cursors[u.Session])
				}
			}
			checkSaved(t, w.region)
			switch rapid.IntRange(0, 19).Draw(t, "then") {
			case 0:
				w.save()
				again.save()
			case 1:
				w.crash()
				again.crash()
				clear(reader)
				for id := range bucket {
					bucket[id] = w.venue.Limits.Burst // budgets are not kept: everybody may catch up
				}
				p.poses = map[uint64]uint16{}
				for _, e := range w.region.Key().Entities {
					reader[e.ID] = e
				}
			}
			if w.region.Hash() != again.region.Hash() {
				t.Fatal("the same inputs gave different states")
			}
		}
		if got := w.restore().Hash(); got != w.region.Hash() {
			t.Fatal("snapshot and log give another state")
		}
	})
}

// heads returns where everybody's head is.
func heads(r *Region) map[uint64]lattice.Vec {
	m := map[uint64]lattice.Vec{}
	for _, u := range r.users {
		m[u.ID] = u.head()
	}
	return m
}

// wantCursors is the naive count of inputs: the next number of a session that is there counts.
func wantCursors(r *Region, cursors map[uint64]uint32, in []stream.Input) {
	sessions := map[uint64]bool{}
	users := map[string]uint64{}
	for _, u := range r.users {
		sessions[u.Session] = true
		users[fmt.Sprint(u.User, u.load)] = u.Session
	}
	ended := map[uint64]bool{}
	for _, l := range r.saved.Left {
		ended[l.Session] = true
	}
	for _, x := range in {
		switch {
		case x.Kind == stream.InputJoin && !sessions[x.Session] && !ended[x.Session]:
			who := fmt.Sprint(x.User, x.Load)
			old, replaces := users[who]
			if n := len(sessions); replaces && sessions[old] && n-1 >= r.venue.Limits.Users || !(replaces && sessions[old]) && n >= r.venue.Limits.Users {
				continue
			}
			if replaces {
				delete(sessions, old)
				ended[old] = true
			}
			sessions[x.Session], users[who], cursors[x.Session] = true, x.Session, 0
		case x.Kind == stream.InputLeave && sessions[x.Session]:
			delete(sessions, x.Session)
			ended[x.Session] = true
		case x.Kind.Key() && sessions[x.Session] && x.Seq == cursors[x.Session]+1:
			cursors[x.Session]++
		}
	}
}

// checkHolders: an object has one holder at most, who is there, and a hand has one object at most.
func checkHolders(t failer, r *Region) {
	hands := map[string]bool{}
	for _, o := range r.objects {
		if o.holder == nil {
			if o.State.Holder != 0 {
				t.Fatalf("%s shows holder %d, has none", o.Name, o.State.Holder)
			}
			continue
		}
		hand := fmt.Sprint(o.State.Holder, o.hand)
		if hands[hand] {
			t.Fatalf("hand %s holds two objects", hand)
		}
		hands[hand] = true
		if r.things[o.State.Holder] == nil || r.things[o.State.Holder].user != o.holder || o.holder.hands[o.hand] != o {
			t.Fatalf("%s is held by %d, who does not hold it", o.Name, o.State.Holder)
		}
	}
	for _, u := range r.users {
		for hand, o := range u.hands {
			if o != nil && (o.holder != u || int(o.hand) != hand) {
				t.Fatalf("hand %d of %s holds %s, which does not know", hand, u.Name, o.Name)
			}
		}
	}
}

// checkMoves: nobody goes farther than a token bucket of their own allows, and nobody stands outside the floors.
func checkMoves(t *rapid.T, r *Region, before map[uint64]lattice.Vec, bucket map[uint64]int64) {
	l := &r.venue.Limits
	for _, u := range r.users {
		if r.venue.FloorAt(u.head(), u.floor) < 0 {
			t.Fatalf("%s stands on no floor, at %v", u.Name, u.head())
		}
		from, ok := before[u.ID]
		if !ok {
			bucket[u.ID] = l.Burst
			continue
		}
		bucket[u.ID] = min(l.Burst, bucket[u.ID]+l.SpeedPerTick)
		if u.State.Flags&stream.FlagJump != 0 {
			continue // teleported, or put where the gateway last saw them before a crash
		}
		d := ceilDist(from, u.head())
		if d > bucket[u.ID] {
			t.Fatalf("%s moved %d steps with %d in the bucket", u.Name, d, bucket[u.ID])
		}
		bucket[u.ID] = max(0, bucket[u.ID]-d)
		for hand := range uint8(2) {
			if ceilDist(u.head(), u.State.Body.Hand(hand).Pos) > l.HandReach+1 {
				t.Fatalf("hand %d of %s is too far away", hand, u.Name)
			}
		}
	}
}

// TestArbitration holds grab windows against a naive twin: the earliest clamped press that was heard of before the
// window closed wins, then the earlier arrival, then the user's id.
func TestArbitration(t *testing.T) {
	v := hall(t, 100, 8)
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, v)
		const people = 5
		var in []stream.Input
		for i := range people {
			in = append(in, stream.Input{Kind: stream.InputJoin, Session: uint64(i + 1), User: fmt.Sprintf("user%d", i), HasPlace: true,
				Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{Y: 1600, X: int32(i) * 50}}}})
		}
		w.step(in...)
		cup := w.region.objects[0]
		start := w.region.serverTime(w.tick)
		type press struct {
			user           int
			stamp, arrival int64
			tick           uint64
		}
		var presses []press
		for i := range people {
			arrival := start + 1 + rapid.Int64Range(0, 400_000).Draw(t, "arrival")
			stamp := arrival - rapid.Int64Range(0, 300_000).Draw(t, "claim")
			tick := w.tick + uint64((arrival-start+v.TickUS()-1)/v.TickUS())
			presses = append(presses, press{i, stamp, arrival, tick})
		}
		open := slices.MinFunc(presses, func(a, b press) int { return cmp.Compare(a.tick, b.tick) }).tick
		closes := open + 2 // 100 ms of 50 ms ticks
		var heard []press
		for _, p := range presses {
			p.stamp = max(p.stamp, p.arrival-150_000, 0) // the timeline starts at 0
			if p.tick <= closes {
				heard = append(heard, p)
			}
		}
		want := slices.MinFunc(heard, func(a, b press) int {
			return cmp.Or(cmp.Compare(a.stamp, b.stamp), cmp.Compare(a.arrival, b.arrival), cmp.Compare(a.user, b.user))
		})
		for range 12 {
			var in []stream.Input
			for _, p := range presses {
				if p.tick == w.tick+1 {
					in = append(in, stream.Input{Kind: stream.InputGrab, Session: uint64(p.user + 1), Seq: 1, Stamp: p.stamp, Arrival: p.arrival,
						Object: cup.ID, Hand: 1, HandAt: cup.State.Body.Head})
				}
			}
			w.step(in...)
			if w.tick < closes && cup.holder != nil {
				t.Fatalf("granted at tick %d, the window closes at %d", w.tick, closes)
			}
		}
		if cup.holder == nil || cup.holder.Session != uint64(want.user+1) {
			t.Fatalf("%+v: want %d to win", presses, want.user)
		}
	})
}

// stateOp is one call of the state functions, or the end of a tick's call.
type stateOp struct {
	op      int // 0 put, 1 delete, 2 get
	scope   abi.Scope
	subject uint64
	key     string
	value   string
}

// TestState holds the rule state against a naive map: calls that fail leave nothing, calls that do not see each
// other's writes, in the same tick, the next and after a restart.
func TestState(t *testing.T) {
	v := hall(t, 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		var ops []stateOp
		fail := false
		model := map[string]string{}
		name := func(o stateOp) string { return fmt.Sprint(o.scope, o.subject, o.key) }
		rule := func() *twin {
			return newTwin("hands", []string{"message"}, nil, func(_ *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
				mine := map[string]string{}
				for k, v := range model {
					mine[k] = v
				}
				for _, o := range ops {
					switch o.op {
					case 0:
						if code := kv.Put(o.scope, o.subject, o.key, []byte(o.value)); code != 0 {
							t.Fatalf("put %+v: %d", o, code)
						}
						mine[name(o)] = o.value
					case 1:
						if code := kv.Del(o.scope, o.subject, o.key); code != 0 {
							t.Fatalf("del %+v: %d", o, code)
						}
						delete(mine, name(o))
					}
					got, code := kv.Get(o.scope, o.subject, o.key)
					want, ok := mine[name(o)]
					if ok != (code == 0) || ok && string(got) != want {
						t.Fatalf("get %+v: %q %d, want %q %v", o, got, code, want, ok)
					}
				}
				if fail {
					return nil, &abi.Fault{Kind: abi.FaultTrap, Message: "as drawn"}
				}
				model = mine
				return nil, nil
			})
		}
		w := newWorld(t, v)
		start := func() {
			w.rules = []Rule{rule(), nil}
			b, _ := w.region.Snapshot()
			r, err := Restore(w.config(), b, nil)
			if err != nil {
				t.Fatal(err)
			}
			w.region = r
		}
		w.step()
		start()
		w.step(stream.Input{Kind: stream.InputJoin, Session: 1, User: "ada"})
		ada := w.region.users[0].ID
		seq := uint32(0)
		for range rapid.IntRange(1, 8).Draw(t, "ticks") {
			ops = nil
			for range rapid.IntRange(1, 8).Draw(t, "ops") {
				o := stateOp{
					op: rapid.IntRange(0, 2).Draw(t, "op"), scope: abi.Scope(rapid.IntRange(1, 5).Draw(t, "scope")),
					key: rapid.SampledFrom([]string{"a", "b", "\xff", "\xfe"}).Draw(t, "key"), value: rapid.StringN(0, 4, 8).Draw(t, "value"),
				}
				o.subject = map[abi.Scope]uint64{abi.ScopeObject: 1<<32 | 2, abi.ScopeUser: ada, abi.ScopeZone: 1}[o.scope]
				ops = append(ops, o)
			}
			fail = rapid.IntRange(0, 3).Draw(t, "fail") == 0
			seq++
			w.step(stream.Input{Kind: stream.InputMessage, Session: 1, Seq: seq, Topic: "x"})
			checkSaved(t, w.region)
			if rapid.IntRange(0, 3).Draw(t, "restart") == 0 {
				start()
				w.step(stream.Input{Kind: stream.InputBack, Session: 1})
			}
			// A person who is kept away after too many faults would see nothing: start over with a clean record.
			w.region.rules[0].offenders = map[saved.Person]*offender{}
		}
	})
}
