package plan

import "time"

// Part is which part of a plan a machine carries out, of how many. The zero value is the whole plan.
type Part struct{ N, Of int }

// parts returns how many parts there are, at least 1.
func (p *Plan) parts() int { return max(p.Part.Of, 1) }

// Split returns part n, from 0, of a plan that so many machines carry out together: of Visitors and closed users each has its share, which
// add up to the whole at every moment; actions are due at the rate of the whole divided by the parts; the limit in flight is divided. Every
// part draws from a seed of its own, so that parts have different visitors.
func (p *Plan) Split(n, of int) *Plan {
	part := *p
	part.Part = Part{n, of}
	part.Seed = p.Seed + uint64(n)*0x9e3779b97f4a7c15
	part.MaxInFlight = max((p.MaxInFlight+n)/of, 1)
	return &part
}

// There returns how many people are to be there at a time: the curve, rounded to the nearest, or a part's share of that. floor((m+n)/k), summed over n
// from 0 to k-1, is m (Hermite's identity), so parts add up to the whole.
func (p *Plan) There(t time.Duration) int {
	return (int(p.Curve.At(t)+0.5) + p.Part.N) / p.parts()
}
