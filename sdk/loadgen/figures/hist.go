package figures

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"time"
)

// highest is the longest duration that is told apart, microseconds.
const highest = int64(10 * time.Minute / time.Microsecond)

// Durations are counted in buckets: of one microsecond each below exact, and above of the length at which a bucket's lower bound has
// at least 1,024 times that length, so that three digits are kept.
const (
	exactBits = 11
	exact     = 1 << exactBits
	half      = exact / 2
	buckets   = exact + (30-exactBits)*half // highest has 30 bits
	// manyBuckets is from where on counts are in an array: most histograms are of a second's few actions.
	manyBuckets = 512
)

// bucket returns the bucket of a duration.
func bucket(us int64) uint16 {
	if us < exact {
		return uint16(us)
	}
	shift := bits.Len64(uint64(us)) - exactBits
	return uint16(exact + (shift-1)*half + int(us>>shift) - half)
}

// bounds returns the least and the greatest duration of a bucket.
func bounds(b uint16) (least, greatest int64) {
	if b < exact {
		return int64(b), int64(b)
	}
	shift := int(b-exact)/half + 1
	least = int64(int(b-exact)%half+half) << shift
	return least, min(least+1<<shift-1, highest)
}

// Histogram counts durations, in microseconds to three digits. Durations above ten minutes count as ten minutes, those below
// zero as zero. The zero value is not usable: see NewHistogram.
type Histogram struct {
	few  map[uint16]int64 // counts by bucket, of a histogram of few buckets
	many []int64          // counts by bucket, of one of many; nil while there are few
	n    int64
	sum  int64 // microseconds
}

// NewHistogram returns an empty one.
func NewHistogram() *Histogram { return &Histogram{few: map[uint16]int64{}} }

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	us := min(max(d.Microseconds(), 0), highest)
	h.add(bucket(us), 1)
	h.sum += us
}

func (h *Histogram) add(b uint16, n int64) {
	h.n += n
	if h.many != nil {
		h.many[b] += n
		return
	}
	h.few[b] += n
	if len(h.few) > manyBuckets {
		h.many = make([]int64, buckets)
		for b, n := range h.few {
			h.many[b] = n
		}
		h.few = nil
	}
}

// each calls f with every bucket that has a count, in their order, until it returns false.
func (h *Histogram) each(f func(b uint16, n int64) bool) {
	for b, n := range h.many {
		if n > 0 && !f(uint16(b), n) {
			return
		}
	}
	for _, b := range slices.Sorted(maps.Keys(h.few)) {
		if !f(b, h.few[b]) {
			return
		}
	}
}

// N returns how many durations there are.
func (h *Histogram) N() int64 { return h.n }

// Sum returns all durations together.
func (h *Histogram) Sum() time.Duration { return time.Duration(h.sum) * time.Microsecond }

// Mean returns the mean, 0 for none.
func (h *Histogram) Mean() time.Duration {
	if h.n == 0 {
		return 0
	}
	return h.Sum() / time.Duration(h.n)
}

// Quantile returns the nearest-rank quantile: the smallest duration that at least a share q of all do not exceed, the
// one of rank ceil(q n), to three digits. 0 for an empty histogram.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := min(max(int64(math.Ceil(q*float64(h.n))), 1), h.n)
	us := int64(0)
	h.each(func(b uint16, n int64) bool {
		rank -= n
		_, us = bounds(b)
		return rank > 0
	})
	return time.Duration(us) * time.Microsecond
}

// Max returns the largest duration, to three digits.
func (h *Histogram) Max() time.Duration { return h.Quantile(1) }

// Merge adds the durations of another.
func (h *Histogram) Merge(o *Histogram) {
	o.each(func(b uint16, n int64) bool {
		h.add(b, n)
		return true
	})
	h.sum += o.sum
}

// histogramJSON is a histogram on its way between load machines: pairs of value and count.
type histogramJSON struct {
	SumUS  int64      `json:"sum_us"`
	Counts [][2]int64 `json:"counts"`
}

// MarshalJSON writes every bucket that has a count: its least duration, and the count.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	out := histogramJSON{SumUS: h.sum, Counts: [][2]int64{}}
	h.each(func(b uint16, n int64) bool {
		least, _ := bounds(b)
		out.Counts = append(out.Counts, [2]int64{least, n})
		return true
	})
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (h *Histogram) UnmarshalJSON(data []byte) error {
	var in histogramJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if len(in.Counts) > buckets {
		return fmt.Errorf("a histogram of %d counts, at most %d are possible", len(in.Counts), buckets)
	}
	*h = *NewHistogram()
	h.sum = in.SumUS
	for i, c := range in.Counts {
		if c[0] < 0 || c[0] > highest || c[1] <= 0 || c[1] > math.MaxInt64-h.n {
			return fmt.Errorf("count %d of a histogram: %d times %d us", i, c[1], c[0])
		}
		h.add(bucket(c[0]), c[1])
	}
	return nil
}
