package scene

import (
	"fmt"
	"testing"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// BenchmarkStep measures a tick in which everybody moved and a few grab or let go. The baseline, measured in the same run, is
// copying the bytes of all poses once: what any implementation must do at least.
func BenchmarkStep(b *testing.B) {
	for _, users := range []int{100, 1000} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			w := newWorld(b, hall(b, 0, users))
			var in []stream.Input
			for i := range users {
				x := join(uint64(i+1), fmt.Sprint("user", i))
				x.HasPlace = true
				x.Body.Head.Pos = lattice.Vec{X: int32(i%40-20) * 400, Y: 1600, Z: int32(i/40-10) * 200}
				in = append(in, x)
			}
			w.step(in...)
			cup := w.region.objects[0]
			seqs := make([]uint32, users)
			frames := make([][]stream.Input, 64)
			for f := range frames {
				frames[f] = make([]stream.Input, 0, users+1) // room for a grab
				for i, u := range w.region.users {
					body := u.State.Body
					d := int32((f+i)%32 - 16)
					body.Head.Pos = body.Head.Pos.Add(lattice.Vec{X: d * 8, Z: -d * 4})
					body.Left.Pos = body.Left.Pos.Add(lattice.Vec{X: d * 8, Y: d * 4, Z: -d * 4})
					body.Right.Pos = body.Right.Pos.Add(lattice.Vec{X: d * 8, Y: -d * 4, Z: -d * 4})
					frames[f] = append(frames[f], stream.Input{Kind: stream.InputPose, Session: u.Session, Body: body})
				}
			}
			poses := make([]lattice.Body, users)
			grabber := users / 2
			run := func(n int, grabs bool) {
				frame := frames[n%len(frames)]
				now := w.region.serverTime(w.tick + 1)
				for i := range frame {
					frame[i].PoseSeq, frame[i].Stamp = uint16(n+1), now
				}
				if grabs && n%10 == 0 {
					// One grab or release every ten ticks: at 20 Hz, two a second.
					seqs[grabber]++
					x := stream.Input{Kind: stream.InputGrab, Session: uint64(grabber + 1), Seq: seqs[grabber], Stamp: now, Arrival: now,
						Object: cup.ID, Hand: 1, HandAt: cup.State.Body.Head}
					if cup.holder != nil {
						x.Kind = stream.InputRelease
					}
					frame = append(frame, x)
				}
				w.tick++
				w.region.Step(w.tick, frame)
			}
			n := 0
			for range 2 * len(frames) {
				run(n, true)
				n++
			}
			if allocs := testing.AllocsPerRun(60, func() { run(n, false); n++ }); allocs > 0 {
				b.Errorf("%.1f allocations in a tick of nothing but motion, want 0", allocs)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				run(n, true)
				n++
			}
			b.StopTimer()
			perTick := float64(b.Elapsed()) / float64(b.N)
			const copies = 2000
			start := time.Now()
			for k := range copies {
				frame := frames[k%len(frames)]
				for i := range frame {
					poses[i] = frame[i].Body
				}
			}
			base := float64(time.Since(start)) / copies
			b.ReportMetric(perTick/float64(users), "ns/user")
			b.ReportMetric(perTick/base, "x_copy")
		})
	}
}
