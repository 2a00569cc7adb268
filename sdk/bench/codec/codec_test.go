package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/venued/venued/sdk/motion"
)

// TestAims: bytes, freshness and errors of made-up motion are what the codec promises. Times are not judged.
func TestAims(t *testing.T) {
	r, err := Run(Made(100, 12))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2*len(Losses)*len(RTTs)*4 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	for _, row := range r.Rows {
		if row.Codec != "codec1" || row.LatticeMM != 1 {
			continue
		}
		most := map[float64]float64{12: 10, 60: 12.5, 100: 13.5}[row.RTTMS] + 20*row.Loss
		if row.BytesMean > most || row.FreshRatio < 0.98 || row.ErrMMMax >= 1 || row.ErrDegMax >= 0.12 {
			t.Errorf("%.1f bytes, at most %.1f: %+v", row.BytesMean, most, row)
		}
	}
}

func recording(n int) []byte {
	var b bytes.Buffer
	p := motion.NewPerson(motion.Walk, 3)
	for i := range n {
		s := p.Step(1.0 / Hz)
		j := func(j motion.Joint) map[string]any { return map[string]any{"p": j.P, "q": j.Q} }
		line, err := json.Marshal(map[string]any{"u": i % 2, "t": float64(i/2) * 33.333, "head": j(s.Head), "left": j(s.Left), "right": j(s.Right)})
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	clips, err := Read(bytes.NewReader(recording(200)))
	if err != nil || len(clips) != 2 || len(clips[0]) != 100 {
		t.Fatalf("%d clips, %v", len(clips), err)
	}
	if _, err := Run(clips); err != nil {
		t.Fatal(err)
	}
}

func TestReadRefuses(t *testing.T) {
	joint := `{"p":[1,1,1],"q":[0,0,0,1]}`
	for _, c := range []struct{ in, says string }{
		{"", "no user has 30 samples in a row"},
		{"\n{", "line 2: unexpected end"},
		{`{"u":1}`, "line 1: t: want the time"},
		{`{"t":1}`, "line 1: head: missing"},
		{`{"t":1,"head":{"p":[1,2],"q":[0,0,0,1]}}`, "line 1: head.p: 2 numbers, want 3"},
		{fmt.Sprintf(`{"t":1,"head":%s,"left":{"p":[1,2,3],"q":[0,0,1]}}`, joint), "line 1: left.q: 3 numbers, want 4"},
		{fmt.Sprintf(`{"t":1,"head":%s,"left":%s,"right":{"p":[1,2,3],"q":[0,0,2,1]}}`, joint, joint), "line 1: right.q: a quaternion of length 2.24, want 1"},
		{fmt.Sprintf(`{"t":1,"head":%s,"left":%s,"right":{"p":[1,2,3e9],"q":[0,0,0,1]}}`, joint, joint), "line 1: right.p[2]: 3e+09 is not within 1,000 m"},
	} {
		if _, err := Read(strings.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.in, err, c.says)
		}
	}
}

// FuzzRead reads anything as a recording; what it takes can be measured.
func FuzzRead(f *testing.F) {
	f.Add(recording(70))
	f.Add([]byte(`{"t":1e300}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		clips, err := Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		samples := 0
		for _, c := range clips {
			samples += len(c)
			for i := range c {
				if _, err := grids[0].state(&c[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if samples > 8*len(b) {
			t.Fatalf("%d samples of %d bytes", samples, len(b))
		}
	})
}
