package behaviour

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
)

// How walking is told from standing: who is more than walkStep away from where they were walkSpan before, walks.
const (
	walkSpan = 500 * time.Millisecond
	walkStep = 0.2 // metres
	fitPlan  = 20  // quantiles of a measured dwell time
)

// visits counts a chain: how long visitors were in states, and which came next.
type visits struct {
	dwell map[string][]time.Duration
	next  map[string]map[string]int
}

func newVisits() *visits {
	return &visits{map[string][]time.Duration{}, map[string]map[string]int{}}
}

func (v *visits) stay(state string, d time.Duration, then string) {
	v.dwell[state] = append(v.dwell[state], d)
	if v.next[state] == nil {
		v.next[state] = map[string]int{}
	}
	v.next[state][then]++
}

// dist is the measured dwell time of a state.
func (v *visits) dist(state string) plan.Dist {
	d, err := plan.FromSamples(v.dwell[state], fitPlan)
	if err == nil {
		return d
	}
	only := time.Second // nobody was seen to leave it
	for _, x := range v.dwell[state] {
		only = max(x, time.Microsecond)
	}
	return plan.Dist{Kind: plan.Measured, Quantiles: []plan.Quantile{{Q: 0, Value: only}, {Q: 1, Value: only}}}
}

// chances are the measured probabilities of what comes after a state; of one that nobody was seen to leave, those of all states alike.
func (v *visits) chances(state string, all []string) (out []Chance) {
	counts, sum := v.next[state], 0
	if len(counts) == 0 {
		counts = map[string]int{}
		for _, s := range all {
			counts[s] = 1
		}
	}
	for _, n := range counts {
		sum += n
	}
	for _, to := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, Chance{to, float64(counts[to]) / float64(sum)})
	}
	return out
}

// Fit measures a model from what people did: walking and standing with their dwell times, and which act follows which, after how long. The error says
// what is missing in the clips.
func Fit(name string, clips []Clip) (*Model, error) {
	moves, acts := newVisits(), newVisits()
	kinds := map[string]Deed{}
	for i := range clips {
		clips[i].moves(moves)
		for k, a := range clips[i].Acts {
			state := a.Kind
			if a.Topic != "" {
				state += " " + a.Topic
			}
			d := kinds[state]
			kinds[state] = Deed{Name: state, Act: a.Kind, Topic: a.Topic, Bytes: max(d.Bytes, len(a.Payload))}
			if k+1 < len(clips[i].Acts) {
				n := clips[i].Acts[k+1]
				then := n.Kind
				if n.Topic != "" {
					then += " " + n.Topic
				}
				acts.stay(state, max(n.At-a.At, time.Microsecond), then)
			}
		}
	}
	if len(moves.dwell) == 0 {
		return nil, fmt.Errorf("nobody is seen to walk, stand and walk on: there is nothing to measure")
	}
	if len(kinds) > maxStates {
		return nil, fmt.Errorf("%d different acts, a model has at most %d", len(kinds), maxStates)
	}
	m := &Model{Name: name}
	states := slices.Sorted(maps.Keys(moves.dwell))
	for _, s := range states {
		kind := motion.Idle
		if s == "walk" {
			kind = motion.Walk
		}
		m.Moves = append(m.Moves, Move{s, kind, s == "walk", moves.dist(s), moves.chances(s, states)})
	}
	if len(m.Moves) == 1 {
		m.Moves[0].Next = []Chance{{states[0], 1}}
	}
	names := slices.SortedFunc(maps.Keys(kinds), cmp.Compare[string])
	for _, s := range names {
		d := kinds[s]
		d.Dwell, d.Next = acts.dist(s), acts.chances(s, names)
		m.Acts = append(m.Acts, d)
	}
	return m, nil
}

// moves counts stretches of walking and of standing.
func (c *Clip) moves(v *visits) {
	state, since, from := "", time.Duration(0), 0
	for i := range c.poses {
		p := &c.poses[i]
		for c.poses[from].at < p.at-walkSpan {
			from++
		}
		if p.at < walkSpan {
			continue
		}
		now := "stand"
		if float64(p.body.Head.Pos.Dist(c.poses[from].body.Head.Pos)) > walkStep*lattice.Steps {
			now = "walk"
		}
		switch {
		case state == "":
			state, since = now, p.at
		case now != state && p.at-since >= walkSpan:
			v.stay(state, p.at-since, now)
			state, since = now, p.at
		}
	}
}
