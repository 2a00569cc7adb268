package node

import (
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene"
)

// keptTimes is how many of the newest durations a window holds.
const keptTimes = 512

// times is a window of durations. Any goroutine may use it.
type times struct {
	mu   sync.Mutex
	n    uint64 // all that were ever added
	ring [keptTimes]time.Duration
}

func (t *times) add(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ring[t.n%keptTimes] = d
	t.n++
}

// Times tells of the newest durations of something that happens again and again.
type Times struct {
	N         uint64        // how often it happened, since the start
	Mean, P99 time.Duration // of the newest 512
}

func (t *times) read() Times {
	t.mu.Lock()
	n := t.n
	list := slices.Clone(t.ring[:min(n, keptTimes)])
	t.mu.Unlock()
	if n == 0 {
		return Times{}
	}
	var sum time.Duration
	for _, d := range list {
		sum += d
	}
	slices.Sort(list)
	return Times{N: n, Mean: sum / time.Duration(len(list)), P99: list[(len(list)*99+99)/100-1]}
}

// watched is a rule with what the node tells of it.
type watched struct {
	scene.Rule
	name  string
	calls times

	mu         sync.Mutex
	faults     uint64
	lastFault  string
	quarantine bool
}

func newWatched(name string, r scene.Rule) *watched { return &watched{Rule: r, name: name} }

// Call calls the rule and takes its time.
func (w *watched) Call(batch []byte, kv abi.KV) ([]byte, error) {
	began := time.Now()
	out, err := w.Rule.Call(batch, kv)
	w.calls.add(time.Since(began))
	return out, err
}

// Close ends the rule, if it can be.
func (w *watched) Close() { closeRule(w.Rule) }

func (w *watched) fault(f *scene.RuleFault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults++
	w.lastFault = f.Fault.Error()
	w.quarantine = w.quarantine || f.Quarantined
}

// watchAll wraps a region's rules for the start of a life.
func (d *driver) watchAll(rules []scene.Rule) []scene.Rule {
	for i, r := range rules {
		if r != nil {
			rules[i] = newWatched(d.node.cfg.Venue.Rules[i].Name, d.tap(i, r))
		}
	}
	d.watch(rules)
	return rules
}

// watch makes rules those that status tells of.
func (d *driver) watch(rules []scene.Rule) {
	list := make([]*watched, 0, len(rules))
	for _, r := range rules {
		if w, ok := r.(*watched); ok {
			list = append(list, w)
		}
	}
	d.mu.Lock()
	d.watching = list
	d.mu.Unlock()
}

// swapped takes what a step says of swaps: it is logged, counted and kept for status, and modules that are no longer needed are closed.
func (d *driver) swapped(l *life, e *scene.Effects) {
	for i := range e.Swaps {
		s := &e.Swaps[i]
		log, result := d.log.Info, "swapped"
		if s.Returned {
			log, result = d.log.Error, "returned"
		}
		log("rule "+result, "rule", s.Rule, "from", s.From.String(), "to", s.To.String(), "digest", s.To.Digest, "from_tick", s.Tick, "reason", s.Reason)
		d.metric.all.ruleSwaps.WithLabelValues(d.key.Region, s.Rule, result).Inc()
		d.mu.Lock()
		list := append(d.swaps[s.Rule], Swap{*s, d.node.cfg.Now()})
		d.swaps[s.Rule] = list[max(0, len(list)-keptSwaps):]
		d.mu.Unlock()
		if s.Returned {
			d.watch(l.rules)
		}
		if d.node.cfg.Swapped != nil {
			d.node.cfg.Swapped(d.index, *s)
		}
	}
	for _, r := range e.Retired {
		closeRule(r)
	}
}

// noteFault keeps a rule's fault for status.
func (d *driver) noteFault(f *scene.RuleFault) {
	d.mu.Lock()
	list := d.watching
	d.mu.Unlock()
	for _, w := range list {
		if w.name == f.Rule {
			w.fault(f)
		}
	}
}

// RuleStatus is a rule in one region at a glance, since the region's start or the rule's last load.
type RuleStatus struct {
	Rule        string // name in the venue
	Region      string
	Plugin      string // name and version of the module
	Version     string
	Digest      string // SHA-256 of the module, hex
	Calls       Times
	Faults      uint64
	LastFault   string // "" for none
	Quarantined bool   // requests are denied until it is loaded again
	Swaps       []Swap // the newest of the region's life, newest last; at most 64
}

// Swap is a change of the module that decides for a rule in a region.
type Swap struct {
	scene.SwapEvent
	At time.Time
}

// keptSwaps is how many of a rule's newest swaps status tells of.
const keptSwaps = 64

// Rules returns what every region tells of its rules, in the order of Venue.Regions and Venue.Rules.
func (n *Node) Rules() []RuleStatus {
	var out []RuleStatus
	for _, d := range n.drivers {
		d.mu.Lock()
		list := d.watching
		d.mu.Unlock()
		for _, w := range list {
			m := w.Manifest()
			s := RuleStatus{Rule: w.name, Region: d.key.Region, Plugin: m.Name, Version: m.Version, Digest: w.Digest(), Calls: w.calls.read()}
			w.mu.Lock()
			s.Faults, s.LastFault, s.Quarantined = w.faults, w.lastFault, w.quarantine
			w.mu.Unlock()
			d.mu.Lock()
			s.Swaps = slices.Clone(d.swaps[w.name])
			d.mu.Unlock()
			out = append(out, s)
		}
	}
	return out
}

// TickTimes returns how long the newest ticks of every region took, in the order of Venue.Regions.
func (n *Node) TickTimes() []Times {
	out := make([]Times, len(n.drivers))
	for i, d := range n.drivers {
		out[i] = d.ticks.read()
	}
	return out
}
