package node

import (
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/host/scene"
)

// keptFaults is how many of the newest failed calls of a rule in a region are kept; older ones go.
const keptFaults = 64

// Fault is a failed call of a rule, with the rule's state before and after.
type Fault struct {
	scene.RuleFault
	Region string
	Tick   uint64
	At     time.Time
}

// faultLog keeps the newest faults of a region's rules. Any goroutine may use it.
type faultLog struct {
	mu     sync.Mutex
	byRule map[string][]Fault // oldest first
}

func (l *faultLog) add(f Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byRule == nil {
		l.byRule = map[string][]Fault{}
	}
	list := l.byRule[f.Rule]
	if len(list) == keptFaults {
		list = slices.Delete(list, 0, 1)
	}
	l.byRule[f.Rule] = append(list, f)
}

func (l *faultLog) read(rule string) []Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.byRule[rule])
}

// Faults returns the newest failed calls of a rule in every region since the node's start, 64 of each at most, newest first.
func (n *Node) Faults(rule string) []Fault {
	var out []Fault
	for _, d := range n.drivers {
		out = append(out, d.faults.read(rule)...)
	}
	slices.SortStableFunc(out, func(a, b Fault) int { return b.At.Compare(a.At) })
	return out
}
