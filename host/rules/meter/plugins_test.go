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

// ratio reports how long the second takes as a multiple of the first: in turns, the least of each, since other work shares the machine.
func ratio(b *testing.B, plain, rewritten func()) {
	least := [2]time.Duration{time.Hour, time.Hour}
	for b.Loop() {
		for i, run := range [2]func(){plain, rewritten} {
			begin := time.Now()
			run()
			least[i] = min(least[i], time.Since(begin))
		}
	}
	b.ReportMetric(float64(least[1])/float64(least[0]), "x-plain")
	b.ReportMetric(float64(least[0].Nanoseconds())/1000, "plain-us/op")
}

// BenchmarkPlugins compares metered plugins with plain ones in the same run.
func BenchmarkPlugins(b *testing.B) {
	for name, batch := range map[string][]byte{
		"grab": grabs(1000), "door": batches()[3], "bell": batches()[3], "score": batches()[3], "greeter": batches()[3], "probe-c": batches()[3], "probe-rust": batches()[3],
	} {
		b.Run(name, func(b *testing.B) {
			wasm := built(b)[name+".wasm"]
			r := newRuntime(b, true)
			provide(b, r, parse(b, wasm))
			plain, rewritten := plugin(b, r, wasm), plugin(b, r, metered(b, wasm))
			run := func(g *guest) func() {
				return func() {
					if _, _, err := g.tick(ample, batch); err != nil {
						b.Fatal(err)
					}
				}
			}
			ratio(b, run(plain), run(rewritten))
		})
	}
}

// BenchmarkInstrument rewrites modules; x-size is how much larger they become.
func BenchmarkInstrument(b *testing.B) {
	for _, name := range []string{"grab.wasm", "greeter.wasm"} {
		b.Run(name, func(b *testing.B) {
			wasm := built(b)[name]
			m := parse(b, wasm)
			b.SetBytes(int64(len(wasm)))
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				out, err := Instrument(m, Options{})
				if err != nil {
					b.Fatal(err)
				}
				size = len(out)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(float64(len(wasm))/1024), "us/KB")
			b.ReportMetric(float64(size)/float64(len(wasm)), "x-size")
		})
	}
}
