package scene

import (
	"encoding/json"
	"testing"

	"github.com/venued/venued/host/stream"
)

// FuzzRevive: a state from outside is refused or makes a region, which then steps.
func FuzzRevive(f *testing.F) {
	v := hall(f, 100, 5)
	w := newWorld(f, v)
	add := func() {
		l, err := w.region.Capture()
		if err != nil {
			f.Fatal(err)
		}
		b, err := json.Marshal(l)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	w.step(join(1, "ada"), join(2, "ben"))
	add()
	cup := w.region.objects[0]
	w.step(
		stream.Input{Kind: stream.InputGrab, Session: 1, Seq: 1, Object: cup.ID, HandAt: cup.State.Body.Head},
		say(2, 1, "note"), stream.Input{Kind: stream.InputAway, Session: 2})
	add()
	f.Fuzz(func(t *testing.T, b []byte) {
		var l Live
		if err := json.Unmarshal(b, &l); err != nil {
			return
		}
		r, err := Revive(Config{Venue: v, Rules: []Rule{handsRule(), doorRule()}}, &l)
		if err != nil {
			return
		}
		if l.Tick > 1<<62 {
			return // no tick comes after the last one
		}
		for i := range uint64(3) {
			r.Step(l.Tick+1+i, nil)
		}
	})
}
