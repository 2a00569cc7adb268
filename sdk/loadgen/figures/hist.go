package figures

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Bounds of what a histogram tells apart: microseconds, with three digits.
const (
	lowest  = 1
	highest = int64(10 * time.Minute / time.Microsecond)
	digits  = 3
)

// Histogram counts durations, in microseconds to three digits. Durations above ten minutes count as ten minutes, those below
// zero as zero.
type Histogram struct {
	h   *hdrhistogram.Histogram
	sum int64 // microseconds
}

// NewHistogram returns an empty one.
func NewHistogram() *Histogram { return &Histogram{h: hdrhistogram.New(lowest, highest, digits)} }

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	us := min(max(d.Microseconds(), 0), highest)
	// Within its bounds it takes every value.
	_ = h.h.RecordValue(us)
	h.sum += us
}

// N returns how many durations there are.
func (h *Histogram) N() int64 { return h.h.TotalCount() }

// Sum returns all durations together.
func (h *Histogram) Sum() time.Duration { return time.Duration(h.sum) * time.Microsecond }

// Mean returns the mean, 0 for none.
func (h *Histogram) Mean() time.Duration {
	if h.N() == 0 {
		return 0
	}
	return h.Sum() / time.Duration(h.N())
}

// Quantile returns the nearest-rank quantile: the smallest duration that at least a share q of all do not exceed, the
// one of rank ceil(q n). 0 for an empty histogram.
func (h *Histogram) Quantile(q float64) time.Duration {
	n := h.N()
	if n == 0 {
		return 0
	}
	rank := min(max(int64(math.Ceil(q*float64(n))), 1), n)
	// The histogram rounds percentile/100*n to the nearest number: give it one that is exact.
	us := h.h.ValueAtQuantile(float64(rank) / float64(n) * 100)
	return time.Duration(us) * time.Microsecond
}

// Max returns the largest duration.
func (h *Histogram) Max() time.Duration { return time.Duration(h.h.Max()) * time.Microsecond }

// Merge adds the durations of another.
func (h *Histogram) Merge(o *Histogram) {
	h.h.Merge(o.h)
	h.sum += o.sum
}

// histogramJSON is a histogram on its way between load machines: pairs of value and count.
type histogramJSON struct {
	SumUS  int64      `json:"sum_us"`
	Counts [][2]int64 `json:"counts"`
}

// MarshalJSON writes every value that occurs with its count.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	out := histogramJSON{SumUS: h.sum, Counts: [][2]int64{}}
	for _, b := range h.h.Distribution() {
		if b.Count > 0 {
			out.Counts = append(out.Counts, [2]int64{b.From, b.Count})
		}
	}
	return json.Marshal(out)
}

// maxCounts is more than a histogram of these bounds has buckets.
const maxCounts = 1 << 16

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	var in histogramJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if len(in.Counts) > maxCounts {
		return fmt.Errorf("a histogram of %d counts, at most %d are possible", len(in.Counts), maxCounts)
	}
	*h = *NewHistogram()
	h.sum = in.SumUS
	total := int64(0)
	for i, c := range in.Counts {
		if c[0] < 0 || c[0] > highest || c[1] <= 0 || c[1] > math.MaxInt64-total {
			return fmt.Errorf("count %d of a histogram: %d times %d us", i, c[1], c[0])
		}
		total += c[1]
		if err := h.h.RecordValues(c[0], c[1]); err != nil {
			return fmt.Errorf("count %d of a histogram: %w", i, err)
		}
	}
	return nil
}
