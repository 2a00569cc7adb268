package wire

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/venued/venued/host/stream"
)

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	const users, runs = 30, 200
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
	w.Reset(nil, MaxFrame, FrameHeader{})
	for i := range uint16(users) {
		w.Enter(i, &Info{ID: uint64(i) + 1, Kind: stream.Avatar}, &motion[0][i])
	}
	apply()
	buf := make([]byte, 0, MaxFrame)
	k := 0
	step := func() {
		k++
		w.Reset(buf, MaxFrame, FrameHeader{Seq: uint16(k), Tick: uint32(k)})
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

// What reading takes is bounded by what was sent: four bytes for one, also of a frame that is full of leaves, the smallest records there are; and what
// no server sends is refused before anything is kept.
func TestReadingIsBounded(t *testing.T) {
	allocated := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	leaving := func(size int) []byte {
		var w FrameWriter
		w.Reset(nil, size, FrameHeader{Seq: 1})
		for h := range uint16(countMask) {
			if !w.Leave(h) {
				break
			}
		}
		return w.Bytes()
	}
	frame, long := leaving(MaxFrame), leaving(2*MaxFrame)
	if len(frame) < MaxFrame-4 || len(long) <= MaxFrame {
		t.Fatalf("frames of %d and %d bytes", len(frame), len(long))
	}
	v := NewView()
	// Another goroutine of the test's process may allocate meanwhile, but not each time.
	least := ^uint64(0)
	for range 5 {
		v = NewView()
		least = min(least, allocated(func() {
			if _, err := v.Apply(frame, func(Record) { t.Error("a leave of what is not there was passed on") }); err != nil {
				t.Error(err)
			}
		}))
	}
	if least > perByte*uint64(len(frame)) {
		t.Errorf("a frame of %d bytes took %d", len(frame), least)
	}
	binary.LittleEndian.PutUint16(long[1:], 2)
	if _, err := v.Apply(long, nil); wantCode(err) != CodeBadMessage {
		t.Errorf("a frame of %d bytes: %v", len(long), err)
	}
	if least = allocated(func() { v.Apply(long, nil) }); least > perByte*uint64(len(long)) { //nolint:errcheck // see above
		t.Errorf("a frame of %d bytes, which is refused, took %d", len(long), least)
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
