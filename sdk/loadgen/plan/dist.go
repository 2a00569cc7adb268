package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// DistKind names a family of distributions.
type DistKind string

// Families.
const (
	Fixed       DistKind = "fixed"       // always Mean
	Uniform     DistKind = "uniform"     // Min to Max
	Exponential DistKind = "exponential" // Mean
	LogNormal   DistKind = "lognormal"   // Median and P95, as think and service times mostly are
	Measured    DistKind = "measured"    // given quantiles, linear between them
)

// DistKinds lists the families.
func DistKinds() []string {
	return []string{string(Fixed), string(Uniform), string(Exponential), string(LogNormal), string(Measured)}
}

// Dist is a distribution of durations above zero. Only the fields that its kind names count.
type Dist struct {
	Kind        DistKind
	Mean        time.Duration
	Min, Max    time.Duration
	Median, P95 time.Duration
	Quantiles   []Quantile
}

// Quantile says that a share Q of all values, 0 to 1, is at most Value.
type Quantile struct {
	Q     float64
	Value time.Duration
}

// shortest is the smallest value of a distribution whose formula would give less.
const shortest = time.Microsecond

// z95 is the 95 % quantile of the standard normal distribution.
const z95 = 1.6448536269514722

// Check says what is wrong with the distribution, nil for nothing.
func (d *Dist) Check() error {
	positive := func(name string, v time.Duration) error {
		if v <= 0 {
			return fmt.Errorf("%s of a %s distribution is %v, want more than 0", name, d.Kind, v)
		}
		return nil
	}
	switch d.Kind {
	case Fixed, Exponential:
		return positive("the mean", d.Mean)
	case Uniform:
		if err := positive("the least value", d.Min); err != nil {
			return err
		}
		if d.Max < d.Min {
			return fmt.Errorf("the largest value of a uniform distribution, %v, is below its least, %v", d.Max, d.Min)
		}
	case LogNormal:
		if err := positive("the median", d.Median); err != nil {
			return err
		}
		if d.P95 < d.Median {
			return fmt.Errorf("the 95 %% quantile of a lognormal distribution, %v, is below its median, %v", d.P95, d.Median)
		}
	case Measured:
		return d.checkQuantiles()
	default:
		return fmt.Errorf("%q is no kind of distribution: use one of %v", d.Kind, DistKinds())
	}
	return nil
}

func (d *Dist) checkQuantiles() error {
	if len(d.Quantiles) < 2 {
		return fmt.Errorf("a measured distribution needs at least two quantiles, [share, seconds]")
	}
	for i, q := range d.Quantiles {
		switch {
		case !(q.Q >= 0 && q.Q <= 1):
			return fmt.Errorf("quantile %d has the share %v, want 0 to 1", i+1, q.Q)
		case q.Value <= 0:
			return fmt.Errorf("quantile %d is %v, want more than 0", i+1, q.Value)
		case i > 0 && q.Q <= d.Quantiles[i-1].Q:
			return fmt.Errorf("quantile %d has the share %v, the one before it %v: shares ascend", i+1, q.Q, d.Quantiles[i-1].Q)
		case i > 0 && q.Value < d.Quantiles[i-1].Value:
			return fmt.Errorf("quantile %d is %v, the one before it %v: values do not fall", i+1, q.Value, d.Quantiles[i-1].Value)
		}
	}
	return nil
}

// Mu returns the mean of the distribution.
func (d *Dist) Mu() time.Duration {
	switch d.Kind {
	case Uniform:
		return (d.Min + d.Max) / 2
	case LogNormal:
		s := d.sigma()
		return time.Duration(float64(d.Median) * math.Exp(s*s/2))
	case Measured:
		first, last := d.Quantiles[0], d.Quantiles[len(d.Quantiles)-1]
		sum := first.Q*float64(first.Value) + (1-last.Q)*float64(last.Value)
		for i := 1; i < len(d.Quantiles); i++ {
			a, b := d.Quantiles[i-1], d.Quantiles[i]
			sum += (b.Q - a.Q) * (float64(a.Value) + float64(b.Value)) / 2
		}
		return time.Duration(sum)
	}
	return d.Mean
}

func (d *Dist) sigma() float64 { return math.Log(float64(d.P95)/float64(d.Median)) / z95 }

// Draw draws a value, always above zero.
func (d *Dist) Draw(rng *rand.Rand) time.Duration {
	v := d.Mean
	switch d.Kind {
	case Uniform:
		v = d.Min + time.Duration(rng.Float64()*float64(d.Max-d.Min))
	case Exponential:
		v = time.Duration(rng.ExpFloat64() * float64(d.Mean))
	case LogNormal:
		v = time.Duration(float64(d.Median) * math.Exp(d.sigma()*rng.NormFloat64()))
	case Measured:
		v = d.at(rng.Float64())
	}
	return max(v, shortest)
}

// at returns the value at a share: linear between quantiles, clamped outside of them.
func (d *Dist) at(q float64) time.Duration {
	i, exact := slices.BinarySearchFunc(d.Quantiles, q, func(e Quantile, q float64) int {
		switch {
		case e.Q < q:
			return -1
		case e.Q > q:
			return 1
		}
		return 0
	})
	switch {
	case exact || i == 0:
		return d.Quantiles[i].Value
	case i == len(d.Quantiles):
		return d.Quantiles[i-1].Value
	}
	a, b := d.Quantiles[i-1], d.Quantiles[i]
	return a.Value + time.Duration((q-a.Q)/(b.Q-a.Q)*float64(b.Value-a.Value))
}

// FromSamples returns the measured distribution of values, at most n+1 quantiles of it (n at least 2). Values that are not above zero
// are left out; the error says when fewer than two are left.
func FromSamples(values []time.Duration, n int) (Dist, error) {
	kept := make([]time.Duration, 0, len(values))
	for _, v := range values {
		if v > 0 {
			kept = append(kept, v)
		}
	}
	if len(kept) < 2 {
		return Dist{}, fmt.Errorf("%d values above zero: a distribution needs at least two", len(kept))
	}
	slices.Sort(kept)
	n = max(2, min(n, len(kept)-1))
	d := Dist{Kind: Measured}
	for i := range n + 1 {
		d.Quantiles = append(d.Quantiles, Quantile{float64(i) / float64(n), kept[i*(len(kept)-1)/n]})
	}
	return d, nil
}
