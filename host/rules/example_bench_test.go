package rules_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/plugins"
)

// quickState is state that costs little beside the rules.
type quickState map[quickKey][]byte

type quickKey struct {
	scope   abi.Scope
	subject uint64
	key     string
}

func (s quickState) Get(scope abi.Scope, subject uint64, k string) ([]byte, int) {
	v, ok := s[quickKey{scope, subject, k}]
	if !ok {
		return nil, abi.KVMissing
	}
	return v, 0
}

func (s quickState) Put(scope abi.Scope, subject uint64, k string, v []byte) int {
	at := quickKey{scope, subject, k}
	if old := s[at]; len(old) == len(v) && len(v) > 0 {
		copy(old, v)
	} else {
		s[at] = bytes.Clone(v)
	}
	return 0
}

func (s quickState) Del(scope abi.Scope, subject uint64, k string) int {
	delete(s, quickKey{scope, subject, k})
	return 0
}

// exampleBatches are batches of n events each that an example has to do with. They can be played in a ring.
func exampleBatches(example string, n int) [][]byte {
	if example == "grab" || example == "door" {
		return hallBatches(n)
	}
	r := rand.New(rand.NewPCG(7, uint64(len(example))))
	var out [][]byte
	for tick := range 32 {
		b := abi.NewBatch()
		b.Reset(nil, abi.Header{Tick: uint64(tick)})
		for range n {
			e := abi.Event{Subject: hallUser(r.IntN(hallUsers)), Object: hallObject(r.IntN(20)), Hand: 1}
			switch {
			case example == "quiz" && r.IntN(100) == 0:
				e.Kind = abi.EventUse
			case example == "quiz":
				e.Kind = abi.EventMessage
				e.Data = []byte("quiz\x00" + []string{"b", "a", `{"answer":"b"}`, `{"answer":"c"}`}[r.IntN(4)])
			case example == "teleport":
				e.Kind = abi.EventEnter
			case r.IntN(4) == 0:
				e.Kind = abi.EventRelease
			default:
				e.Kind = abi.EventGrab
			}
			b.Event(&e)
		}
		out = append(out, bytes.Clone(b.Finish()))
	}
	return out
}

// buildAnyRust builds an example in Rust, or takes the shipped plugin, which grab and door are.
func buildAnyRust(dir, example string) ([]byte, error) {
	if example == "grab" || example == "door" {
		return plugins.Wasm(example)
	}
	return buildRust(dir, example)
}

// BenchmarkExamples runs each worked example in each language over 300 events and, in turns with it, natively as it is written with the Go
// kit: x-native says how many times as long the plugin takes, by the medians. What state costs the host is in both.
func BenchmarkExamples(b *testing.B) {
	const events = 300
	e := engine(b, false)
	dir := b.TempDir()
	for _, example := range []string{"grab", "door", "quiz", "teleport", "lift"} {
		batches := exampleBatches(example, events)
		for _, l := range []struct {
			name  string
			build func(dir, rule string) ([]byte, error)
		}{{"rust", buildAnyRust}, {"c", buildC}, {"assemblyscript", buildAssemblyScript}, {"go", buildGo}} {
			b.Run(example+"/"+l.name, func(b *testing.B) {
				wasm, err := l.build(dir, example)
				if err != nil {
					b.Fatal(err)
				}
				p, err := e.Load(context.Background(), example, wasm, rules.LoadOptions{Class: abi.ClassLarge})
				if err != nil {
					b.Fatal(err)
				}
				in, err := p.Instance(rules.InstanceConfig{CallTime: time.Hour})
				if err != nil {
					b.Fatal(err)
				}
				defer in.Close()
				native, kit := twin(nil), newHallKit()
				switch example {
				case "grab":
					native = func(batch []byte, _ abi.KV) []byte { return kit.grab(batch) }
				case "door":
					native = func(batch []byte, _ abi.KV) []byte { return kit.door(batch) }
				default:
					native = newTwin(example, nil)
				}
				var times [2][]time.Duration
				states := [2]quickState{{}, {}}
				var buf []byte
				for i := 0; b.Loop(); i++ {
					var said [2][]byte
					for k, call := range []twin{
						func(batch []byte, kv abi.KV) []byte {
							out, err := in.Call(batch, kv)
							if err != nil {
								b.Fatal(err)
							}
							return out
						},
						native,
					} {
						buf = append(buf[:0], batches[i%len(batches)]...)
						if example != "grab" && example != "door" { // whose batches are of one story
							le.PutUint64(buf[24:], uint64(i))
							le.PutUint64(buf[32:], uint64(i)*hallTickUS)
						}
						begin := time.Now()
						said[k] = call(buf, states[k])
						times[k] = append(times[k], time.Since(begin))
					}
					if i < 8 && !bytes.Equal(withoutMinor(said[0]), withoutMinor(said[1])) {
						b.Fatal("they do not do the same")
					}
				}
				for k := range times {
					slices.Sort(times[k])
				}
				b.ReportMetric(quantile(times[0], 500)/quantile(times[1], 500), "x-native")
				b.ReportMetric(quantile(times[0], 500)/events, "ns/event")
				b.ReportMetric(0, "ns/op") // both are in it
			})
		}
	}
}
