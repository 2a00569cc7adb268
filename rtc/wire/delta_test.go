package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// genPast is a past of one to four states, most of them near each other, some with hands and some without.
var genPast = rapid.Custom(func(t *rapid.T) Past {
	var p Past
	s := genState.Draw(t, "base")
	tick := rapid.Uint32().Draw(t, "tick")
	for range rapid.IntRange(1, PastStates).Draw(t, "states") {
		one := s
		p.Push(&one, tick)
		s = genNear(t, s)
		tick -= rapid.SampledFrom([]uint32{0, 1, 1, 1, 2, 3, 64, 65, 1 << 31}).Draw(t, "gap")
	}
	return p
})

// TestDeltaRoundTrip: whatever the past, a delta decoded against it is the state that went in.
func TestDeltaRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		past := genPast.Draw(t, "past")
		cur := genNear(t, *past.State[0])
		tick := past.Tick[0] + rapid.SampledFrom([]uint32{0, 1, 1, 2, 4, 8, 9, 200}).Draw(t, "ahead")
		far := rapid.Bool().Draw(t, "far")
		if far {
			cur = Coarse(&cur)
		}
		var d Delta
		d.Encode(&cur, tick, &past, far)
		if d.OK() != (handed(&cur.Body) == handed(&past.State[0].Body)) {
			t.Fatalf("OK is %v", d.OK())
		}
		if !d.OK() {
			return
		}
		if d.Bits() > 8*maxDeltaBytes {
			t.Fatalf("%d bits", d.Bits())
		}
		r := bitReader{buf: d.w.finish()}
		var got stream.State
		if err := r.delta(&got, tick, &past); err != nil && coordinates(&cur.Body) {
			t.Fatal(err)
		}
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if got != cur {
			t.Fatal(cmp.Diff(cur, got))
		}
	})
}

// coordinates reports whether the body is within bounds: a hand beside a far head may not be.
func coordinates(b *lattice.Body) bool { return checkBody(b) == nil }

// TestCoarse: a coarse state is near the one it is of, and coarse again.
func TestCoarse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genState.Draw(t, "state")
		c := Coarse(&s)
		if again := Coarse(&c); again != c || !isCoarse(&c.Body) {
			t.Fatal(cmp.Diff(c, again))
		}
		if d := c.Body.Head.Pos.Dist(s.Body.Head.Pos); d > 3 {
			t.Fatalf("the head moved by %d", d)
		}
		if !c.Body.Right.Rot.Valid() {
			t.Fatal(c.Body.Right.Rot)
		}
	})
}

// TestResidual: every difference comes back from every table, in 32 bits and a code at most.
func TestResidual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(rapid.Int32Range(-40, 40), rapid.Int32Range(-5000, 5000), rapid.Int32()).Draw(t, "difference")
		table := &tables[rapid.IntRange(0, tableCount-1).Draw(t, "table")]
		w := bitWriter{buf: make([]byte, 16), max: 16}
		w.residual(v, table)
		n := 8*w.pos + int(w.n)
		r := bitReader{buf: w.finish()}
		if got := r.residual(table); got != v || int(r.pos) != n || r.short || n > maxLength+32 {
			t.Fatalf("%d came back as %d, %d bits of %d read", v, got, r.pos, n)
		}
	})
}

func TestLoadCodecRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{`"codec": 1`, `"codec": 2`, "codec 2, want 1"},
		{`"age": "`, `"age": "0`, "age: 2 digits, want 1"},
		{`"age": "`, `"age": "z", "x": "`, `age: digit 0 is "z": want one up to 21`},
		{`"lengths": [` + "\n  \"1", `"lengths": [` + "\n  \"2", "lengths[0]: the lengths make no complete code"},
		{`"lengths": [` + "\n  \"1", `"lengths": [` + "\n  \"0", "lengths[0]: a class has no code"},
	} {
		err := loadCodec([]byte(strings.Replace(string(codec1), c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.new, err, c.says)
		}
	}
	if err := loadCodec(codec1); err != nil { // and all as it was
		t.Fatal(err)
	}
}

// FuzzDelta reads anything as a delta against a past.
func FuzzDelta(f *testing.F) {
	w := newWalker(4)
	states := [PastStates + 1]stream.State{}
	for i := range states {
		states[i] = stream.State{Body: w.step(1.0 / 30), AgeMS: uint8(i)}
	}
	for n := 1; n <= PastStates; n++ {
		var p Past
		for i := range n {
			p.Push(&states[PastStates-1-i], uint32(100-i))
		}
		var d Delta
		d.Encode(&states[PastStates], 101, &p, false)
		f.Add(d.w.finish(), uint8(n), uint32(101))
	}
	f.Add([]byte{15, 255, 1, 2, 3}, uint8(4), uint32(7))
	f.Fuzz(func(t *testing.T, b []byte, n uint8, tick uint32) {
		var p Past
		for i := range int(n%PastStates) + 1 {
			p.Push(&states[PastStates-1-i], uint32(100-i))
		}
		r := bitReader{buf: b}
		var s stream.State
		if err := r.delta(&s, tick, &p); err != nil {
			return
		}
		// What was read can be written again, perhaps in another form, and read again.
		var d Delta
		d.Encode(&s, tick, &p, false)
		var again stream.State
		if handed(&s.Body) != handed(&states[0].Body) {
			return
		}
		if err := d.Decode(&again, tick, &p); err != nil || again != s {
			t.Fatal(err, cmp.Diff(s, again))
		}
	})
}
