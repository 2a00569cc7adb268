package plan

import (
	"fmt"
	"math"
	"time"
)

// Point is one point of a curve.
type Point struct {
	At    time.Duration
	Users float64
}

// Curve is how many users there are over time: linear between points, and as at the first or last point outside of
// them. Its points ascend strictly in time.
type Curve []Point

// Constant returns the curve of n users from the start to the end.
func Constant(n float64, d time.Duration) Curve { return Curve{{0, n}, {d, n}} }

// Check says what is wrong with the curve, nil for nothing.
func (c Curve) Check() error {
	if len(c) == 0 {
		return fmt.Errorf("the curve has no points: give at least one, [seconds, users]")
	}
	peak := 0.0
	for i, p := range c {
		switch {
		case math.IsNaN(p.Users) || math.IsInf(p.Users, 0):
			return fmt.Errorf("point %d of the curve has %v users: a number of people is wanted", i+1, p.Users)
		case p.Users < 0:
			return fmt.Errorf("point %d of the curve has %v users: nobody can be less than absent", i+1, p.Users)
		case p.Users > MaxUsers:
			return fmt.Errorf("point %d of the curve has %v users: at most %d are driven by one run", i+1, p.Users, MaxUsers)
		case p.At < 0:
			return fmt.Errorf("point %d of the curve is at %v: a run begins at 0", i+1, p.At)
		case i > 0 && p.At <= c[i-1].At:
			return fmt.Errorf("point %d of the curve is at %v, point %d before it at %v: times ascend", i+1, p.At, i, c[i-1].At)
		}
		peak = max(peak, p.Users)
	}
	if peak == 0 {
		return fmt.Errorf("the curve never has a user: give a point with more than 0")
	}
	return nil
}

// Scaled returns the curve with all its users times a factor.
func (c Curve) Scaled(factor float64) Curve {
	out := make(Curve, len(c))
	for i, p := range c {
		out[i] = Point{p.At, p.Users * factor}
	}
	return out
}

// End returns the time of the last point, 0 for no points.
func (c Curve) End() time.Duration {
	if len(c) == 0 {
		return 0
	}
	return c[len(c)-1].At
}

// Peak returns the largest number of users.
func (c Curve) Peak() float64 {
	peak := 0.0
	for _, p := range c {
		peak = max(peak, p.Users)
	}
	return peak
}

// At returns the number of users at a time.
func (c Curve) At(t time.Duration) float64 {
	if len(c) == 0 {
		return 0
	}
	if t <= c[0].At {
		return c[0].Users
	}
	for i := 1; i < len(c); i++ {
		if a, b := c[i-1], c[i]; t < b.At {
			return a.Users + (b.Users-a.Users)*float64(t-a.At)/float64(b.At-a.At)
		}
	}
	return c[len(c)-1].Users
}

// UserSeconds returns the integral of the curve from 0 to t: how long all users together were there.
func (c Curve) UserSeconds(t time.Duration) float64 {
	if len(c) == 0 || t <= 0 {
		return 0
	}
	first := min(c[0].At, t)
	sum := c[0].Users * first.Seconds()
	for i := 1; i < len(c) && c[i-1].At < t; i++ {
		until := min(c[i].At, t)
		sum += (c[i-1].Users + c.At(until)) / 2 * (until - c[i-1].At).Seconds()
	}
	if last := c[len(c)-1]; t > last.At {
		sum += last.Users * (t - last.At).Seconds()
	}
	return sum
}

// reaches returns the time at which the integral of the curve reaches a number of user-seconds, and false when it does not before
// the limit. It is the inverse of UserSeconds.
func (c Curve) reaches(sum float64, limit time.Duration) (time.Duration, bool) {
	at, from, left := time.Duration(0), c[0].Users, sum
	for _, next := range append(c[:len(c):len(c)], Point{math.MaxInt64, c[len(c)-1].Users}) {
		length, to := (next.At - at).Seconds(), next.Users
		if next.At == c[0].At {
			to = from // as at the first point before it
		}
		if area := (from + to) / 2 * length; left <= area {
			// from*x + (to-from)/length*x^2/2 = left, solved without losing digits when the slope is small.
			slope := (to - from) / length
			x := 2 * left / (from + math.Sqrt(math.Max(0, from*from+2*slope*left)))
			if left == 0 {
				x = 0
			}
			t := at + time.Duration(math.Min(x, length)*float64(time.Second))
			return t, t < limit
		} else {
			left -= area
		}
		at, from = next.At, next.Users
		if at >= limit {
			return 0, false
		}
	}
	return 0, false
}

// ArrivalRate returns the actions a second of a number of users who think so long on average between
// two of their actions: users / think. The time that the venue takes to answer is not in it: an open loop does not
// wait. It is an error when the think time is not above zero.
func ArrivalRate(users float64, think time.Duration) (float64, error) {
	if think <= 0 {
		return 0, fmt.Errorf("a think time of %v: users who do not think act infinitely often, so give one above 0", think)
	}
	if !(users >= 0) || math.IsInf(users, 0) {
		return 0, fmt.Errorf("%v users: give a number of people, 0 or more", users)
	}
	return users / think.Seconds(), nil
}
