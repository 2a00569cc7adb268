package behaviour

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// Streams of random numbers, so that one thing that is drawn more often changes nothing about another.
const (
	streamDeal  = 0x6465616c // which behaviour a visitor has
	streamLives = 0x6c69766573
)

// Cast is the behaviours of a plan, ready for its venue. It may be used by many goroutines.
type Cast struct {
	seed  uint64
	stage *stage
	parts []part
	sum   float64 // of all shares
}

// part is one behaviour.
type part struct {
	kind  plan.BehaviourKind
	share float64
	// visit begins a visitor's life.
	visit func(seed uint64, n int) (name string, l life)
}

// Open reads the behaviours of a valid plan, whose files are named relative to a folder, for a venue. The error names
// the behaviour and its file, and the line where there is one.
func Open(p *plan.Plan, dir string, d *venues.Description) (*Cast, error) {
	stage, err := newStage(d)
	if err != nil {
		return nil, err
	}
	c := &Cast{seed: p.Seed, stage: stage}
	for i, b := range p.Behaviours {
		visit, err := open(&b, dir, stage)
		if err != nil {
			return nil, fmt.Errorf("load.behaviour[%d]: %w", i, err)
		}
		c.parts = append(c.parts, part{b.Kind, b.Share, visit})
		c.sum += b.Share
	}
	return c, nil
}

// Visitor returns visitor n, from 0, as it is when it comes: the same for the same plan and number.
func (c *Cast) Visitor(n int) *Visitor {
	x := rand.New(rand.NewPCG(c.seed^streamDeal, uint64(n))).Float64() * c.sum
	chosen := &c.parts[len(c.parts)-1]
	for i := range c.parts {
		if x -= c.parts[i].share; x < 0 {
			chosen = &c.parts[i]
			break
		}
	}
	v := &Visitor{N: n, Kind: chosen.kind, stage: c.stage}
	v.Name, v.life = chosen.visit(c.seed^streamLives, n)
	return v
}

// never is the acts of somebody who does nothing.
func never() (Act, bool) { return Act{}, false }

// longest is a time that no run reaches.
const longest = 2 * plan.MaxDuration

// seconds turns seconds into a duration.
func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
