package behaviour

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	visit visit
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
		visit, err := open(&b, dir, d, stage)
		if err != nil {
			return nil, fmt.Errorf("load.behaviour[%d]: %w", i, err)
		}
		c.parts = append(c.parts, part{b.Kind, b.Share, visit})
		c.sum += b.Share
	}
	return c, nil
}

// visit begins the life of visitor n.
type visit func(seed uint64, n int) (name string, l life)

// open reads the file of a behaviour.
func open(b *plan.Behaviour, dir string, d *venues.Description, stage *stage) (visit, error) {
	if b.Kind == plan.Model && b.File == "" {
		m := builtin()
		return func(seed uint64, n int) (string, life) { return m.visit(stage, seed, n) }, nil
	}
	path := b.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	switch b.Kind {
	case plan.Scripted:
		data, err := readFile(path, MaxScript)
		if err != nil {
			return nil, err
		}
		s, err := ParseScript(b.File, data, d)
		if err != nil {
			return nil, err
		}
		return func(seed uint64, n int) (string, life) { return s.visit(stage, seed, n) }, nil
	case plan.Model:
		data, err := readFile(path, MaxModel)
		if err != nil {
			return nil, err
		}
		m, err := ParseModel(b.File, data)
		if err != nil {
			return nil, err
		}
		return func(seed uint64, n int) (string, life) { return m.visit(stage, seed, n) }, nil
	case plan.Replayed:
		clips, err := ReadClips(path, d.ID)
		if err != nil {
			return nil, err
		}
		return (&replay{clips, stage}).visit, nil
	}
	return nil, fmt.Errorf("%q is no behaviour", b.Kind)
}

// readFile reads a file of a limited length.
func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: more than %d bytes: is this the right file?", path, limit)
	}
	return data, nil
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
