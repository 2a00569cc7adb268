package motion

import (
	"math"
	"testing"
)

// TestPeopleArePlausible: whatever the kind, samples are bodies, hands stay near the head, and but for faults of tracking nobody
// moves faster than people do.
func TestPeopleArePlausible(t *testing.T) {
	const hz = 90
	for _, kind := range Kinds {
		for seed := range uint64(4) {
			p, again := NewPerson(kind, seed), NewPerson(kind, seed)
			var last Sample
			for i := range 60 * hz {
				s := p.Step(1.0 / hz)
				if s != again.Step(1.0/hz) {
					t.Fatalf("%s %d: sample %d is not the same again", kind, seed, i)
				}
				if _, err := s.Body(); err != nil {
					t.Fatalf("%s %d: sample %d: %v", kind, seed, i, err)
				}
				if s.Head.P[1] < 0.2 || s.Head.P[1] > 2.5 {
					t.Fatalf("%s %d: sample %d: a head at %.2f m", kind, seed, i, s.Head.P[1])
				}
				for h, j := range []Joint{s.Left, s.Right} {
					before := []Joint{last.Left, last.Right}[h]
					far := apart(j, s.Head)
					speed := (apart(j, before) - 0.02) * hz // less the noise of the worst tracking
					tracked := kind != Glitch && kind != Lost
					if i > 0 && tracked && (far > 1.6 || speed > 14) {
						t.Fatalf("%s %d: sample %d: hand %d is %.2f m from the head and moves at %.1f m/s", kind, seed, i, h, far, speed)
					}
				}
				last = s
			}
		}
	}
}

func apart(a, b Joint) float64 {
	d := vec(a.P).sub(b.P)
	return math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
}
