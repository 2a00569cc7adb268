package codec

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// Row is one measurement. Bytes are those of an update of a head and two hands with its mask and the reference to its baseline,
// without operation and handle.
type Row struct {
	Codec      string  `json:"codec"`      // codec1, float32, smallest3, entropy
	LatticeMM  float64 `json:"lattice_mm"` // 1: the default, 1/1024 m; 0.5: 1/2048 m
	Loss       float64 `json:"loss"`       // of frames and of acknowledgements
	RTTMS      float64 `json:"rtt_ms"`
	BytesMean  float64 `json:"bytes_mean"`
	BytesP95   float64 `json:"bytes_p95"`
	KeyBytes   float64 `json:"key_bytes"`   // of a full state
	KeyRatio   float64 `json:"key_ratio"`   // of the updates that were full states
	FreshRatio float64 `json:"fresh_ratio"` // ticks at which what the client has is at most one tick older than the way is long
	ErrMMMean  float64 `json:"err_mm_mean"`
	ErrMMMax   float64 `json:"err_mm_max"`
	ErrDegMean float64 `json:"err_deg_mean"`
	ErrDegMax  float64 `json:"err_deg_max"`
	EncNS      float64 `json:"enc_ns"` // an update; 0 where nothing is coded
	DecNS      float64 `json:"dec_ns"`
}

// Result is what a run measured.
type Result struct {
	Rows []Row `json:"rows"`
}

// Losses and RTTs are what is measured.
var (
	Losses = []float64{0, 0.02, 0.05}
	RTTs   = []float64{12, 60, 100}
)

// Run measures clips on both lattices over every network.
func Run(clips []Clip) (*Result, error) {
	r := &Result{}
	for _, g := range grids {
		var mm, deg sum
		states := make([][]stream.State, len(clips))
		for i, c := range clips {
			states[i] = make([]stream.State, len(c))
			for k := range c {
				var err error
				if states[i][k], err = g.state(&c[k]); err != nil {
					return nil, fmt.Errorf("clip %d, sample %d: %w", i, k, err)
				}
				g.misses(&c[k], &states[i][k], &mm, &deg)
			}
		}
		errs := Row{LatticeMM: g.mm, ErrMMMean: mm.mean(), ErrMMMax: mm.max, ErrDegMean: deg.mean(), ErrDegMax: deg.max}
		for _, rtt := range RTTs {
			for _, loss := range Losses {
				errs.Loss, errs.RTTMS = loss, rtt
				rows, err := measure(states, g, errs)
				if err != nil {
					return nil, err
				}
				r.Rows = append(r.Rows, rows...)
			}
		}
	}
	return r, nil
}

// phases is how many phases of the tick samples are taken at, at least.
const phases = 16

// measure sends every clip over one network; row is what is known already.
func measure(clips [][]stream.State, g grid, row Row) ([]Row, error) {
	var all sent
	// Few clips are sent at several phases each: the age of baselines depends on them.
	for i := range max(len(clips), phases) {
		states := clips[i%len(clips)]
		_, phase := math.Modf(float64(i) * math.Phi)
		one, err := carry(states, g.fine(), network{row.Loss, row.RTTMS}, phase, uint64(i))
		if err != nil {
			return nil, fmt.Errorf("clip %d: %w", i%len(clips), err)
		}
		all.updates = append(all.updates, one.updates...)
		all.bits = append(all.bits, one.bits...)
		all.key += one.key
		all.fresh += one.fresh
		all.ticks += one.ticks
	}
	row.KeyBytes = float64(keyBits(g.fine())) / 8
	row.FreshRatio = float64(all.fresh) / float64(all.ticks)
	coded, plain, absolute, entropy := row, row, row, row

	coded.Codec, coded.KeyRatio = "codec1", float64(all.key)/float64(len(all.bits))
	coded.BytesMean, coded.BytesP95 = bytesOf(all.bits)
	coded.EncNS, coded.DecNS = timed(all.updates)

	plain.Codec, plain.KeyBytes, plain.BytesMean, plain.BytesP95 = "float32", 84, 84, 84
	plain.ErrMMMean, plain.ErrMMMax, plain.ErrDegMean, plain.ErrDegMax = 0, 0, 0, 0

	absolute.Codec, absolute.BytesMean, absolute.BytesP95 = "smallest3", row.KeyBytes, row.KeyBytes

	entropy.Codec, entropy.BytesMean = "entropy", estimate(all.updates)
	return []Row{coded, plain, absolute, entropy}, nil
}

// bytesOf returns the mean and the 95th percentile (nearest rank).
func bytesOf(bits []int) (mean, p95 float64) {
	sorted := slices.Sorted(slices.Values(bits))
	total := 0
	for _, n := range sorted {
		total += n
	}
	rank := (95*len(sorted) + 99) / 100
	return float64(total) / 8 / float64(len(sorted)), float64(sorted[rank-1]) / 8
}

// timed returns what encoding and decoding an update takes, nanoseconds: the best of five goes over all of them.
func timed(updates []update) (enc, dec float64) {
	enc, dec = math.Inf(1), math.Inf(1)
	var d wire.Delta
	var s stream.State
	for range 5 {
		start := time.Now()
		for i := range updates {
			u := &updates[i]
			d.Encode(u.state, u.tick, &u.past, false)
		}
		enc = min(enc, float64(time.Since(start)))
		start = time.Now()
		for i := range updates {
			u := &updates[i]
			if u.delta.Decode(&s, u.tick, &u.past) != nil {
				return 0, 0 // not reached: it decoded before
			}
		}
		dec = min(dec, float64(time.Since(start)))
	}
	return enc / float64(len(updates)), dec / float64(len(updates))
}

// estimate is the entropy of the differences, each in its context, bytes an update: what no code of these contexts and
// predictions could do better than, learnt from the very same updates.
func estimate(updates []update) float64 {
	counts := map[wire.Context]map[int32]int{}
	for i := range updates {
		u := &updates[i]
		wire.Survey(u.state, u.tick, &u.past, func(c wire.Context, d int32) {
			of := counts[c]
			if of == nil {
				of = map[int32]int{}
				counts[c] = of
			}
			of[d]++
		})
	}
	var parts []float64 // sorted before they are added, so that the sum is the same every time
	for _, of := range counts {
		n := 0
		for _, k := range of {
			n += k
		}
		for _, k := range of {
			parts = append(parts, float64(k)*math.Log2(float64(n)/float64(k)))
		}
	}
	slices.Sort(parts)
	total := 0.0
	for _, p := range parts {
		total += p
	}
	return total / 8 / float64(len(updates))
}
