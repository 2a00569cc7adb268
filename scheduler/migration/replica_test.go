package migration

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/venues"
)

const roomTOML = `
[venue]
id = "room"
name = "A room"
tick_hz = 10
send_hz = 10
[[floor]]
name = "floor"
min = [0.0, 0.0]
max = [10.0, 10.0]
[[spawn]]
name = "door"
at = [5.0, 5.0]
`

type failer interface{ Fatal(...any) }

// move returns what a source sends of a region with two people: its state, a record, and FINAL.
func move(t failer) (v *venues.Venue, region string, state []byte, rec Record, f Final) {
	v, err := venues.Read("room.toml", []byte(roomTOML), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := scene.Config{Venue: v, Epoch: 1, IDBlock: 1, Rules: []scene.Rule{}}
	r, err := scene.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.Step(1, []stream.Input{{Kind: stream.InputJoin, Session: 1, User: "ann", Name: "Ann"}})
	live, err := r.Capture()
	if err != nil {
		t.Fatal(err)
	}
	if state, err = EncodeCut(live, nil); err != nil {
		t.Fatal(err)
	}
	fx := r.Step(2, []stream.Input{{Kind: stream.InputJoin, Session: 2, User: "bob", Name: "Bob"}})
	data, err := json.Marshal(fx.Log)
	if err != nil {
		t.Fatal(err)
	}
	if live, err = r.Capture(); err != nil {
		t.Fatal(err)
	}
	rest, err := EncodeRest(live)
	if err != nil {
		t.Fatal(err)
	}
	hash := r.Hash()
	return v, v.Regions[0].Name, state, Record{2, data}, Final{Tick: 2, Records: 1, Durable: 1, Rest: rest, Hash: hash[:]}
}

func TestReplica(t *testing.T) {
	v, region, state, rec, f := move(t)
	r, err := newReplica(v, region, state)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.finish(&f, 0); !errors.Is(err, errHash) {
		t.Errorf("without the record: %v, want errHash", err)
	}
	if err := r.take(rec); err != nil {
		t.Fatal(err)
	}
	if err := r.take(rec); err == nil {
		t.Error("a record was taken twice")
	}
	live, tail, err := r.finish(&f, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(tail) != 1 || tail[0].Tick != 2 || len(live.Users) != 2 {
		t.Errorf("tail %v, %d people", tail, len(live.Users))
	}
	live.Epoch, live.IDBlock = 2, 2
	at, err := scene.Revive(scene.Config{Venue: v, Rules: []scene.Rule{}}, live)
	if err != nil {
		t.Fatal(err)
	}
	if hash := at.Hash(); string(hash[:]) != string(f.Hash) {
		t.Error("the region at the target has another hash")
	}
}

// FuzzReplica takes apart what another node sends: nothing of it may make a node fail otherwise than with an error.
func FuzzReplica(f *testing.F) {
	v, region, state, rec, final := move(f)
	f.Add(state, rec.Tick, rec.Data, final.Rest)
	f.Add([]byte(`{"live":{"saved":{"format":2,"venue":"room","region":"floor"}},"tail":null}`), uint64(1), []byte(`{"tick":1}`), []byte(`{"tick":2}`))
	f.Fuzz(func(t *testing.T, state []byte, tick uint64, data, rest []byte) {
		r, err := newReplica(v, region, state)
		if err != nil {
			return
		}
		n := r.n
		if r.take(Record{tick, data}) == nil && r.n != n+1 {
			t.Fatal("a record was taken and does not count")
		}
		fin := Final{Tick: final.Tick, Rest: rest, Hash: final.Hash}
		live, _, err := r.finish(&fin, GuardHash) // what has another hash would not get this far
		if err != nil {
			return
		}
		if at, err := scene.Revive(scene.Config{Venue: v, Rules: []scene.Rule{}}, live); err == nil {
			at.Step(at.Tick()+1, nil)
		}
	})
}
