package figures

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestQuantilesAreOfTheNearestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Up to 2,048 us the histogram tells every microsecond apart.
		list := rapid.SliceOfN(rapid.Int64Range(0, 2047), 1, 300).Draw(t, "us")
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		h := NewHistogram()
		for _, us := range list {
			h.Add(time.Duration(us) * time.Microsecond)
		}
		slices.Sort(list)
		rank := max(int(math.Ceil(q*float64(len(list)))), 1)
		if got, want := h.Quantile(q).Microseconds(), list[rank-1]; got != want {
			t.Fatalf("quantile %v of %v is %d, want %d", q, list, got, want)
		}
	})
}

func TestThreeDigitsAreKept(t *testing.T) {
	h := NewHistogram()
	for _, d := range []time.Duration{time.Second, time.Minute, 3 * time.Hour, -time.Second} {
		h.Add(d)
	}
	for q, want := range map[float64]time.Duration{0.25: 0, 0.5: time.Second, 0.75: time.Minute, 1: 10 * time.Minute} {
		if got := h.Quantile(q); math.Abs(float64(got-want)) > 0.001*float64(want) {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
}

var genSample = rapid.Custom(func(t *rapid.T) Sample {
	ms := func(name string, limit int64) time.Duration {
		return time.Duration(rapid.Int64Range(0, limit).Draw(t, name)) * time.Millisecond
	}
	s := Sample{Action: rapid.SampledFrom([]string{"grab", "door", "join"}).Draw(t, "action"), Due: ms("due", 5000)}
	s.Sent = s.Due + ms("late", 60)
	s.Queued, s.Service = ms("queued", 50), ms("service", 50)
	s.Done = s.Sent + s.Queued + s.Service + ms("network", 50)
	s.Failure = rapid.SampledFrom([]string{"", "", "denied_held", "timeout"}).Draw(t, "failure")
	s.Expected = rapid.Bool().Draw(t, "expected")
	return s
})

func TestMergingIsAsIfOneHadCountedAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(genSample, 0, 60).Draw(t, "samples")
		one, parts := NewSet(time.Second), []*Set{NewSet(time.Second), NewSet(time.Second), NewSet(time.Second)}
		for i := range list {
			one.Add(&list[i])
			parts[rapid.IntRange(0, 2).Draw(t, "machine")].Add(&list[i])
		}
		sum := NewSet(time.Second)
		for _, p := range parts {
			// On its way between machines.
			data, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			back := &Set{}
			if err := json.Unmarshal(data, back); err != nil {
				t.Fatal(err)
			}
			if err := back.Check(time.Second); err != nil {
				t.Fatal(err)
			}
			sum.Merge(back)
		}
		a, _ := json.Marshal(one)
		b, _ := json.Marshal(sum)
		if d := cmp.Diff(string(a), string(b)); d != "" {
			t.Fatal(d)
		}
	})
}

// A server answers at once but for a standstill of two seconds. Ten actions a second are due. Counted from when they were due, the
// standstill shows in one action of five; counted from when they were sent by a generator that waits, in one of a hundred.
func TestAStandstillShowsInEveryActionThatWasDue(t *testing.T) {
	honest, waiting := NewCounts(), NewCounts()
	answered := func(sent time.Duration) time.Duration {
		if sent >= 4*time.Second && sent < 6*time.Second {
			return 6 * time.Second
		}
		return sent + time.Millisecond
	}
	free := time.Duration(0)
	for i := range 100 {
		due := time.Duration(i) * 100 * time.Millisecond
		honest.Add(&Sample{Due: due, Sent: due, Done: answered(due)})
		sent := max(due, free)
		free = answered(sent)
		waiting.Add(&Sample{Due: sent, Sent: sent, Done: free})
	}
	if p95 := honest.EndToEnd.Quantile(0.95); p95 < 1400*time.Millisecond {
		t.Errorf("p95 is %v", p95)
	}
	if p99 := honest.EndToEnd.Quantile(0.99); p99 < 1900*time.Millisecond || p99 > 2001*time.Millisecond {
		t.Errorf("p99 is %v, want about 2 s", p99)
	}
	if p95 := waiting.EndToEnd.Quantile(0.95); p95 > 2*time.Millisecond {
		t.Errorf("the comparison is pointless: p95 is %v", p95)
	}
}

func TestWhatIsExpectedToFailIsASuccess(t *testing.T) {
	c := NewCounts()
	c.Add(&Sample{Failure: "denied_reach", Expected: true, Done: time.Second})
	c.Add(&Sample{Failure: "timeout", Done: 5 * time.Second})
	c.Add(&Sample{Done: time.Second, Queued: 500 * time.Millisecond})
	if c.OK != 2 || c.Done != 3 || c.Failures["denied_reach"] != 1 || c.Failures["timeout"] != 1 || c.Failed.N() != 1 {
		t.Errorf("%+v", c)
	}
	if got := c.QueueShare(); got != 0.25 {
		t.Errorf("the queue share is %v, want 0.25", got)
	}
}

func FuzzHistogram(f *testing.F) {
	f.Add([]byte(`{"sum_us":3,"counts":[[1,3]]}`))
	f.Add([]byte(`{"counts":[[1,9223372036854775807],[2,1]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &Histogram{}
		if json.Unmarshal(data, h) != nil {
			return
		}
		if !h.whole() { // null
			return
		}
		for _, q := range []float64{0, 0.5, 0.99, 1} {
			if v := h.Quantile(q); v < 0 || v > 10*time.Minute+time.Second {
				t.Fatalf("quantile %v is %v", q, v)
			}
		}
	})
}

func FuzzSet(f *testing.F) {
	whole, _ := json.Marshal(NewSet(time.Second))
	f.Add(whole)
	f.Add([]byte(`{"every_ns":1000000000,"all":{"failures":{}},"action":{"x":null},"slices":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &Set{}
		if json.Unmarshal(data, s) != nil || s.Check(time.Second) != nil {
			return
		}
		NewSet(time.Second).Merge(s)
	})
}

// A duration lies in its bucket, buckets follow each other without a gap, and none is longer than a thousandth of what it holds.
func TestBuckets(t *testing.T) {
	next := int64(0)
	for b := range buckets {
		least, greatest := bounds(uint16(b))
		if least > highest {
			break
		}
		if least != next || bucket(least) != uint16(b) || bucket(greatest) != uint16(b) || (greatest-least)*1000 > least {
			t.Fatalf("bucket %d is %d to %d, the one before it ended at %d", b, least, greatest, next-1)
		}
		next = greatest + 1
	}
	if next <= highest {
		t.Errorf("the buckets end at %d us", next)
	}
}

// A histogram of many different durations says the same as their list, and costs a second's few actions next to nothing.
func TestManyDurations(t *testing.T) {
	h, list := NewHistogram(), []int64{}
	for i := range int64(5000) {
		us := i * i * 7
		h.Add(time.Duration(us) * time.Microsecond)
		list = append(list, us)
	}
	for _, q := range []float64{0, 0.1, 0.5, 0.95, 0.99, 1} {
		want := list[max(int(math.Ceil(q*float64(len(list)))), 1)-1]
		if got := h.Quantile(q).Microseconds(); got < want || float64(got-want) > 0.001*float64(want) {
			t.Errorf("quantile %v is %d us, want %d", q, got, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { NewHistogram().Add(time.Second) }); n > 3 {
		t.Errorf("a histogram of one duration takes %v allocations", n)
	}
}
