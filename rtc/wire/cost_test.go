package wire

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/venued/venued/host/stream"
)

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	const users, runs = 40, 200
	var motion [runs + 2][users]stream.State
	for i := range users {
		walker := newWalker(uint64(i))
		for k := range motion {
			motion[k][i].Body = walker.step(1.0 / 30)
		}
	}
	var w FrameWriter
	v := NewView()
	apply := func() {
		if _, err := v.Apply(w.Bytes(), func(Record) {}); err != nil {
			panic(err)
		}
	}
	// The first frame, all full states, is larger than a datagram.
	w.Reset(nil, 4*MaxFrame, FrameHeader{})
	for i := range uint16(users) {
		w.Enter(i, &Info{ID: uint64(i) + 1, Kind: stream.Avatar}, &motion[0][i])
	}
	apply()
	buf := make([]byte, 0, 2*MaxFrame)
	k := 0
	step := func() {
		k++
		w.Reset(buf, 2*MaxFrame, FrameHeader{Seq: uint16(k), Tick: uint32(k)})
		for i := range uint16(users) {
			if i%8 == 0 {
				w.Full(i, &motion[k][i])
			} else {
				past := Past{Alone: true}
				past.Push(&motion[k-1][i], uint32(k-1))
				w.Update(i, uint16(k-1), &motion[k][i], &past, false)
			}
		}
		if w.Count() != users {
			panic("not everything fitted")
		}
		apply()
	}
	for range keptFrames { // histories grow to their size
		step()
	}
	if n := testing.AllocsPerRun(runs-keptFrames, step); n != 0 {
		t.Errorf("%g allocations a frame written and applied", n)
	}
	p := Pose{Body: motion[0][0].Body}
	pose := AppendPose(nil, &p)
	if n := testing.AllocsPerRun(100, func() {
		if DecodePose(pose, &p) != nil {
			panic("refused")
		}
		AppendPose(pose[:0], &p)
	}); n != 0 {
		t.Errorf("%g allocations a pose", n)
	}
}

// float32Body is the copy that an uncompressed protocol would make: 84 bytes.
type float32Body [21]float32

// BenchmarkCodec encodes and decodes updates of a walking crowd against baselines that are a few frames old, beside
// the copy of a float32 struct.
func BenchmarkCodec(b *testing.B) {
	const frames = 2048
	b.Run("copy84", func(b *testing.B) {
		b.ReportAllocs()
		src := make([]float32Body, frames)
		dst := make([]float32Body, frames)
		for i := range b.N {
			dst[i%frames] = src[(i*7)%frames]
		}
		b.ReportMetric(84, "bytes/update")
	})
	for _, age := range []int{1, 4, 8} {
		states := make([]stream.State, frames)
		rng := rand.New(rand.NewPCG(1, 2))
		for i, w := 0, newWalker(11); i < frames; i++ {
			states[i] = stream.State{Body: w.step(1.0 / 30), AgeMS: uint8(15 + rng.IntN(12))}
		}
		past := func(p *Past, k int) {
			p.N = 0
			for i := range PastStates {
				p.Push(&states[k-age-i], uint32(k-age-i))
			}
		}
		first := age + PastStates
		b.Run(fmt.Sprintf("encode/age%d", age), func(b *testing.B) {
			b.ReportAllocs()
			var d Delta
			var p Past
			var total int
			for i := range b.N {
				k := first + i%(frames-first)
				past(&p, k)
				d.Encode(&states[k], uint32(k), &p, false)
				total += d.Bits()
			}
			b.ReportMetric(float64(total)/8/float64(b.N), "bytes/update")
		})
		b.Run(fmt.Sprintf("decode/age%d", age), func(b *testing.B) {
			b.ReportAllocs()
			deltas := make([]Delta, frames)
			var p Past
			for k := first; k < frames; k++ {
				past(&p, k)
				deltas[k].Encode(&states[k], uint32(k), &p, false)
			}
			var got stream.State
			b.ResetTimer()
			for i := range b.N {
				k := first + i%(frames-first)
				past(&p, k)
				if err := deltas[k].Decode(&got, uint32(k), &p); err != nil || got != states[k] {
					b.Fatal(err)
				}
			}
		})
	}
}
