package saved

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
)

// drawRecord draws changes to few things, so that they meet.
func drawRecord(t *rapid.T, tick uint64) Record {
	small := rapid.Uint64Range(1, 4)
	name := rapid.SampledFrom([]string{"a", "b", "\xff"})
	rec := Record{Tick: tick, LastID: tick, EventN: tick}
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		id := small.Draw(t, "id")
		user, load := fmt.Sprint("user", id), id == 4
		switch rapid.IntRange(0, 12).Draw(t, "what") {
		case 0:
			rec.Users = append(rec.Users, User{Session: id, ID: id, User: user, Load: load, Cursor: uint32(tick)})
		case 1:
			rec.Left = append(rec.Left, Leave{Session: id, User: user, Load: load, Tick: tick})
		case 2:
			rec.Objects = append(rec.Objects, Object{ID: id, Name: user, Value: uint32(tick)})
		case 3:
			rec.Removed = append(rec.Removed, id)
		case 4, 5:
			k := Key{Rule: "r", Key: []byte(name.Draw(t, "key")), Deleted: rapid.Bool().Draw(t, "deleted"), Scope: abi.ScopeUser, User: user, Load: load}
			if id < 3 {
				k.Scope, k.User, k.Load, k.Zone = abi.ScopeZone, "", false, user
			}
			if !k.Deleted {
				k.Value = []byte(name.Draw(t, "value"))
			}
			rec.Keys = append(rec.Keys, k)
		case 6:
			rec.Timers = append(rec.Timers, Timer{Rule: "r", Scope: abi.ScopeZone, Zone: user, ID: -int64(id), DueUS: tick, Off: rapid.Bool().Draw(t, "off")})
		case 7:
			rec.Windows = append(rec.Windows, Window{Object: id, Close: tick, Requests: make([]Input, rapid.IntRange(0, 1).Draw(t, "requests"))})
		case 8:
			waiting := make([]Input, rapid.IntRange(0, 2).Draw(t, "waiting"))
			rec.Waiting = &waiting
			rec.Events = append(rec.Events, stream.Event{N: tick, Tick: tick, Type: "t", Body: []byte("{}")})
		case 9:
			signals := make([]Signal, rapid.IntRange(0, 2).Draw(t, "signals"))
			rec.Signals = &signals
			rec.Scores = append(rec.Scores, Score{N: tick, Board: user, User: user, Delta: -1})
		case 10:
			at := stream.RegionPoint{Epoch: 1, N: tick}
			rec.Sent = append(rec.Sent, Sent{tick, stream.RegionMessage{To: user, At: at, Data: []byte{}}})
			rec.Heard = append(rec.Heard, Place{user, at})
		case 11:
			rec.Acked = append(rec.Acked, Place{user, stream.RegionPoint{Epoch: 1, N: tick - min(tick, 3)}})
		case 12:
			op := rapid.SampledFrom([]ForkOp{ForkKeep, ForkBack, ForkDrop}).Draw(t, "fork")
			rec.Forks = append(rec.Forks, Fork{Rule: "r", Op: op, Schema: int(id)})
			rec.Schemas = append(rec.Schemas, Schema{"r", int(id)})
		}
	}
	return rec
}

func encoded(t *rapid.T, s *State) []byte {
	t.Helper()
	b, err := s.Encode("venue", "region")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSnapshotAnywhere: a snapshot at any record and the records after it give the state of all records, to the
// byte, also when the records went through the store's JSON.
func TestSnapshotAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, again := New(), New()
		for tick := range uint64(rapid.IntRange(1, 100).Draw(t, "ticks")) {
			rec := drawRecord(t, tick+1)
			text, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			var read Record
			if err := json.Unmarshal(text, &read); err != nil {
				t.Fatal(err)
			}
			whole.Apply(&rec, 10)
			again.Apply(&read, 10)
			want := encoded(t, whole)
			if got := encoded(t, again); !bytes.Equal(got, want) {
				t.Fatalf("after tick %d:\n%s\nwant\n%s", tick+1, got, want)
			}
			size, people, sum := 0, map[Person]bool{}, uint64(0)
			for k, v := range whole.Keyspace("r").All() {
				size += Cost(&k, v)
				sum += Hash(&k, v)
				if k.Scope == abi.ScopeUser {
					people[k.Who] = true
				}
			}
			if ks := whole.Keyspace("r"); ks.Size() != size || ks.People() != len(people) || ks.Sum() != sum {
				t.Fatalf("keys of %d bytes and %d people are counted as %d and %d", size, len(people), ks.Size(), ks.People())
			}
			if rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
				if again, err = Decode(want, "venue", "region"); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
