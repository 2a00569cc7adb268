package meter

import (
	"bytes"
	"testing"
	"time"
)

// What compilers of four languages make must run as it did: the same commands, the same state, and with the same fuel on
// both engines and in every instance.
func TestBuiltModulesRunAsBefore(t *testing.T) {
	for name, wasm := range built(t) {
		t.Run(name, func(t *testing.T) {
			m, rewritten := parse(t, wasm), metered(t, wasm)
			plainRuntime := newRuntime(t, true)
			provide(t, plainRuntime, m)
			plain := plugin(t, plainRuntime, wasm)
			runs := map[string]*guest{}
			for engine, r := range runtimes(t) {
				provide(t, r, m)
				runs[engine] = plugin(t, r, rewritten)
				runs[engine+", again"] = plugin(t, r, rewritten)
			}
			var fuel []int64
			answered := 0
			for i, b := range batches() {
				want, _, err := plain.tick(ample, b)
				if err != nil {
					t.Fatal(err, plain.aborted)
				}
				answered += len(want)
				fuel = append(fuel, -1)
				for run, g := range runs {
					got, used, err := g.tick(ample, b)
					if err != nil {
						t.Fatal(run, err, g.aborted)
					}
					if !bytes.Equal(got, want) || !g.sameState(plain) {
						t.Errorf("%s, batch %d: other commands or state than the module as it was", run, i)
					}
					if fuel[i] < 0 {
						fuel[i] = used
					}
					if used != fuel[i] || used <= 0 {
						t.Errorf("%s, batch %d: %d units of fuel, another run used %d", run, i, used, fuel[i])
					}
					if d := g.depth.Get(); d != 0 {
						t.Errorf("%s, batch %d: depth %d after the call", run, i, d)
					}
				}
			}
			if answered == 0 {
				t.Error("it answered nothing")
			}
			t.Logf("fuel %v, %d bytes became %d", fuel, len(wasm), len(rewritten))
		})
	}
}

// BenchmarkGrab compares the metered grab plugin with the plain one in the same run.
func BenchmarkGrab(b *testing.B) {
	wasm := built(b)["grab.wasm"]
	r := newRuntime(b, true)
	provide(b, r, parse(b, wasm))
	batch := grabs(1000)
	plain, rewritten := plugin(b, r, wasm), plugin(b, r, metered(b, wasm))
	run := func(g *guest) time.Duration {
		begin := time.Now()
		if _, _, err := g.tick(ample, batch); err != nil {
			b.Fatal(err)
		}
		return time.Since(begin)
	}
	// In turns, and the least of each, since other work shares the machine.
	least := [2]time.Duration{time.Hour, time.Hour}
	for b.Loop() {
		least[0] = min(least[0], run(plain))
		least[1] = min(least[1], run(rewritten))
	}
	b.ReportMetric(float64(least[1])/float64(least[0]), "x-plain")
	b.ReportMetric(float64(least[0].Nanoseconds())/1000, "plain-ns/event")
}

// BenchmarkInstrument reads and rewrites the largest module there is.
func BenchmarkInstrument(b *testing.B) {
	wasm := built(b)["greeter.wasm"]
	b.SetBytes(int64(len(wasm)))
	b.ReportAllocs()
	for b.Loop() {
		metered(b, wasm)
	}
}
