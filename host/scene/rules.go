package scene

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/scene/terms"
	"github.com/venued/venued/rtc/wire"
)

// noRule marks a request that no rule decides.
const noRule = -2

const (
	// maxCallEvents is the most events of one call: each may be answered by two commands.
	maxCallEvents = abi.MaxCommands / 2
	// callUnits is what a rule may spend on calls in a tick; a call costs one.
	callUnits = 24
	// timeoutUnits is what a call costs that used up its fuel or held up the watchdog.
	timeoutUnits = 8
	// quarantineTicks is how many faulted ticks in a row bring quarantine.
	quarantineTicks = 3
	// blockFaults is how many faults of one person's events keep the person away from the rule for blockS seconds;
	// a timeout, which holds up everybody, counts timeoutFaults. One is forgiven every forgiveS seconds.
	blockFaults   = 5
	timeoutFaults = 2
	forgiveS      = 10
	// Whoever comes back from a block is kept away again at the first fault, and twice as long each time up to
	// 2^maxDoublings times; doublings are forgiven after as many seconds without a fault.
	blockS       = 10
	maxDoublings = 6
	// eventRoom is kept free of rows in every batch.
	eventRoom = 64 << 10
)

// ruleRun is a rule and what the region knows of it.
type ruleRun struct {
	Rule
	*terms.Terms
	index  int    // of the venue's rules
	name   string // in the venue
	module Module // that decides
	seed   uint64
	touch  []bool // kinds that its commands may touch: its own, and those of rules in quarantine that it stands in for
	watch  *watch // of the newest swap, while the old module may come back; nil for none

	stored    *saved.Keyspace // as of the last step
	written   layer           // by the calls of this step
	evicted   int             // people at the head of the list of absent ones whose keys went in this step
	timers    []saved.Timer   // in the order they fire
	timerNews []saved.Timer

	rows      []abi.Row // of this step's batches
	poses     bool      // this step's batches have poses
	called    bool      // in this step
	mine      []int     // indices of the step's happenings that concern it
	common    []int     // those for one batch
	alone     []int     // those of suspects
	units     int       // left to spend in this step
	reserve   int       // units that the common batch leaves for the suspects
	calls     uint64
	culprits  []saved.Person // of this step's faults; the zero value for a fault of nobody's
	unsettled int            // faults in this step that were traced to nobody
	splitting bool           // the batch at hand is part of one that failed
	groups    []int          // lengths of the groups of alone

	streak     int                           // faulted ticks in a row
	blame      [quarantineTicks]saved.Person // whose fault each of the last was, one of them when several's, the zero value for nobody's
	quarantine bool
	offenders  map[saved.Person]*offender
}

// loadRules takes the configured rules and decides who decides what.
func (r *Region) loadRules() error {
	r.rules = make([]*ruleRun, len(r.cfg.Rules))
	for i, rule := range r.cfg.Rules {
		if rule == nil {
			continue
		}
		run, err := r.newRun(i, rule)
		if err != nil {
			return err
		}
		r.rules[i] = run
	}
	r.assignDeciders()
	return nil
}

// newRun makes a rule of a module, with the state that is saved.
func (r *Region) newRun(index int, rule Rule) (*ruleRun, error) {
	name := r.venue.Rules[index].Name
	run := &ruleRun{
		index: index, name: name, seed: seedOf(r.venue.ID, r.region.Name, name), stored: r.saved.Keyspace(name),
		timers: r.saved.TimersOf(name), offenders: map[saved.Person]*offender{},
	}
	run.written.reset()
	return run, r.equip(run, rule)
}

// equip gives a rule its module. When it does not fit, the error says why and nothing has changed.
func (r *Region) equip(run *ruleRun, rule Rule) error {
	m := rule.Manifest()
	t, err := terms.Of(r.venue, run.index, m)
	if err != nil {
		return err
	}
	if need := t.Rows(r.venue, r.cfg.Region) * abi.RowSize; need > abi.MaxInput-eventRoom {
		return fmt.Errorf("rule %s: its views of region %s need up to %d bytes of rows, a batch has room for %d: let the plugin subscribe to fewer views",
			run.name, r.region.Name, need, abi.MaxInput-eventRoom)
	}
	run.Rule, run.Terms = rule, t
	run.module = Module{Name: m.Name, Version: m.Version, Digest: rule.Digest(), Schema: m.Schema}
	return nil
}

// short is how events and records name a module: the first 12 digits of its digest.
func (m Module) short() string { return m.Digest[:min(12, len(m.Digest))] }

// String is name@version and the short digest, "none" for the zero value.
func (m Module) String() string {
	if m == (Module{}) {
		return "none"
	}
	return m.Name + "@" + m.Version + " (" + m.short() + ")"
}

// assignDeciders finds the rule that decides each kind of request for each kind of object, and what each rule may touch.
func (r *Region) assignDeciders() {
	kinds := len(r.venue.Kinds)
	r.frozen = make([]bool, kinds)
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		rule.touch = make([]bool, kinds)
		for k := range rule.touch {
			rule.touch[k] = rule.Kinds[k]
		}
	}
	for q, kind := range [...]abi.EventKind{abi.EventGrab, abi.EventRelease, abi.EventUse} {
		r.deciders[q] = make([]int, kinds)
		for k := range kinds {
			r.deciders[q][k] = noRule
			for _, rule := range r.rules {
				if rule != nil && rule.Kinds[k] && rule.Events.Has(uint16(kind)) {
					r.deciders[q][k] = r.standIn(rule, kind, k)
					break
				}
			}
		}
	}
}

// standIn returns the index of the rule that decides a rule's requests for a kind: itself, or while it is in quarantine the one that the
// venue names for that.
func (r *Region) standIn(rule *ruleRun, kind abi.EventKind, class int) int {
	if rule.quarantine && r.venue.Rules[rule.index].Freeze && kind == abi.EventGrab {
		r.frozen[class] = true
	}
	for by := rule; by.quarantine; {
		next := r.venue.Rules[by.index].Fallback
		if next < 0 || r.rules[next] == nil {
			return rule.index
		}
		if by = r.rules[next]; !by.quarantine && by.Events.Has(uint16(kind)) {
			by.touch[class] = true
			return by.index
		}
	}
	return rule.index
}

// seedOf hashes names (FNV-1a) to where a rule's seeds start.
func seedOf(names ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range names {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return h
}

// mix spreads all bits of x over the result (the finisher of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// decider returns the index of the rule that decides such requests for an object, or noRule.
func (r *Region) decider(kind abi.EventKind, o *object) int {
	q := 0
	switch kind {
	case abi.EventRelease:
		q = 1
	case abi.EventUse:
		q = 2
	}
	return r.deciders[q][o.Class]
}

// wants reports whether a happening concerns the rule.
func (rule *ruleRun) wants(h *happening) bool {
	if h.rule != anyRule {
		return h.rule == rule.index
	}
	if !rule.Events.Has(uint16(h.ev.Kind)) {
		return false
	}
	switch h.ev.Kind {
	case abi.EventEnter, abi.EventExit:
		return rule.HearsZone(int(h.ev.Object) - 1)
	case abi.EventDropped:
		return rule.touch[h.o.Class]
	case abi.EventMessage:
		return rule.Takes(h.topic)
	}
	return true
}

// runRules calls every rule that something concerns, in order.
func (r *Region) runRules() {
	for i := range r.happenings {
		if h := &r.happenings[i]; h.rule == noRule {
			r.fail(nil, h, wire.CodeDeniedUnanswered)
		}
	}
	r.sortHappenings()
	for _, rule := range r.rules {
		if rule == nil || len(rule.mine) == 0 && !rule.poses {
			continue
		}
		if rule.quarantine {
			r.failAll(rule, rule.mine, wire.CodeDeniedQuarantine)
			continue
		}
		rule.mine = slices.DeleteFunc(rule.mine, func(i int) bool { return r.keptAway(rule, &r.happenings[i]) })
		r.runAll(rule)
		r.judge(rule)
	}
}

// sortHappenings sorts the step's happenings by rule, and prepares the rows of every rule that will be called: all
// before the first call.
func (r *Region) sortHappenings() {
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		for i := range r.happenings {
			if rule.wants(&r.happenings[i]) {
				rule.mine = append(rule.mine, i)
			}
		}
		rule.poses = !rule.quarantine && rule.PosesDue(r.tick, rule.seed, r.venue.TickHz)
		if rule.poses || len(rule.mine) > 0 && !rule.quarantine {
			r.prepareRows(rule)
		}
	}
}

// maxGroups is in how many calls of a tick the events of people are run who made a call fail, or perhaps did.
const maxGroups = 8

// runAll runs a rule's happenings: all in one batch but those of people who made a call fail, or perhaps did. A loop costs so much that
// bisection may end before it finds the event. So these are run in groups, the more doubtful the fewer people in one: whoever is in
// a group that fails is more doubtful at the next step, and with each step at least four times fewer are, until it is one.
func (r *Region) runAll(rule *ruleRun) {
	apart := rule.alone[:0]
	common := rule.common[:0]
	for _, i := range rule.mine {
		o := rule.known(&r.happenings[i])
		if o != nil {
			o.forgive(r.tick, r.venue.TickHz)
		}
		if o != nil && o.apart() {
			apart = append(apart, i)
		} else {
			common = append(common, i)
		}
	}
	rule.alone, rule.common = apart, common
	rule.reserve = 0
	if len(apart) > 0 {
		rule.reserve = callUnits / 2
	}
	if rule.poses && len(rule.mine) == 0 {
		r.runBatch(rule, nil)
	}
	r.runBatches(rule, common)
	slices.SortStableFunc(apart, func(a, b int) int {
		x, y := &r.happenings[a], &r.happenings[b]
		return cmp.Or(cmp.Compare(rule.known(x).level(), rule.known(y).level()), cmp.Compare(x.session(), y.session()))
	})
	rule.groups = r.group(rule, apart, rule.groups[:0])
	for i, n := range rule.groups {
		rule.reserve = len(rule.groups) - 1 - i // so that each group gets a call
		failed := len(rule.culprits) + rule.unsettled
		r.runBatches(rule, apart[:n])
		if len(rule.culprits)+rule.unsettled == failed {
			r.passed(rule, apart[:n])
		}
		apart = apart[n:]
	}
	rule.reserve = 0
}

// group splits happenings, which are in the order of their people's levels, into groups, and returns the groups' lengths. Half of the groups
// are for the highest level, half of the rest for the next, and so on. A person's are in one group.
func (r *Region) group(rule *ruleRun, apart []int, lengths []int) []int {
	level := func(i int) int { return rule.known(&r.happenings[apart[i]]).level() }
	left := maxGroups
	end := len(apart)
	for end > 0 && left > 0 {
		from := end - 1
		people := 1
		for from > 0 && (left == 1 || level(from-1) == level(end-1)) {
			if r.happenings[apart[from-1]].who() != r.happenings[apart[from]].who() {
				people++
			}
			from--
		}
		n := left
		if from > 0 {
			n = max(1, left/2)
		}
		n = min(n, people)
		left -= n
		for ; n > 0; n-- {
			size, take := (people+n-1)/n, 0 // people of this group
			at := end
			for at > from {
				if at == end || r.happenings[apart[at-1]].who() != r.happenings[apart[at]].who() {
					if take == size {
						break
					}
					take++
				}
				at--
			}
			lengths = append(lengths, end-at)
			people -= take
			end = at
		}
	}
	slices.Reverse(lengths)
	return lengths
}

// passed notes that happenings of people who are run apart did no harm.
func (r *Region) passed(rule *ruleRun, mine []int) {
	for k, i := range mine {
		h := &r.happenings[i]
		if k > 0 && r.happenings[mine[k-1]].who() == h.who() {
			continue
		}
		if o := rule.known(h); o != nil && o.passes > 0 { // not dropped meanwhile
			o.passes--
		}
	}
}

// runBatches runs happenings in as few calls as the limits of a batch allow.
func (r *Region) runBatches(rule *ruleRun, rest []int) {
	for len(rest) > 0 {
		rest = rest[r.runBatch(rule, rest):]
	}
}

// runBatch runs as many of the happenings as fit into one batch and returns their number. When the call fails, both
// halves are tried on their own, in order, down to single events.
func (r *Region) runBatch(rule *ruleRun, mine []int) int {
	if rule.units <= rule.reserve {
		r.leaveUndecided(rule, mine)
		return len(mine)
	}
	data, n := r.encodeBatch(rule, mine)
	mine = mine[:n]
	fault := r.callRule(rule, data, mine)
	switch {
	case fault == nil:
		return n
	case fault.Fault.Kind == abi.FaultBudget:
		// It was not run: nobody's event is to blame.
		r.fx.Faults = append(r.fx.Faults, *fault)
		rule.units = 0
		r.leaveUndecided(rule, mine)
		return n
	case n == 0:
		r.reportFault(rule, fault, nil)
		return 0
	case n == 1:
		h := &r.happenings[mine[0]]
		r.reportFault(rule, fault, h)
		r.fail(rule, h, wire.CodeDeniedFault)
		return n
	}
	before, open, reported := len(rule.culprits), rule.unsettled, len(r.fx.Faults)
	outer := rule.splitting
	rule.splitting = true
	for _, half := range [...][]int{mine[:n/2], mine[n/2:]} {
		for len(half) > 0 {
			half = half[r.runBatch(rule, half):]
		}
	}
	rule.splitting = outer
	if len(rule.culprits) > before {
		return n
	}
	// Neither half fails alone, or there was no time to find out.
	if h, one := r.onePerson(mine); one {
		r.reportFault(rule, fault, h)
		return n
	}
	if len(r.fx.Faults) == reported {
		r.fx.Faults = append(r.fx.Faults, *fault)
	}
	if rule.unsettled == open {
		r.suspectAll(rule, mine)
	}
	return n
}

// encodeBatch writes happenings as one batch and returns how many fitted, at least one. Holders are those of now.
func (r *Region) encodeBatch(rule *ruleRun, mine []int) ([]byte, int) {
	rule.calls++
	r.batch.Reset(r.batchBuf, abi.Header{
		Tick: r.tick, TimeUS: uint64(r.serverTime(r.tick)), Region: uint32(r.cfg.Region),
		Seed: mix(rule.seed ^ mix(r.tick) + rule.calls),
	})
	for i := range rule.rows {
		if r.batch.Len()+abi.RowSize > abi.MaxInput-eventRoom {
			// More people than the venue's limit were here when the manifest changed: any event fits all the same.
			break
		}
		r.batch.Row(&rule.rows[i])
	}
	n := 0
	for _, i := range mine {
		h := &r.happenings[i]
		ev := h.ev
		if h.request() {
			ev.Holder = h.o.State.Holder
			if ev.Kind == abi.EventUse {
				ev.Value = uint64(h.o.State.Value)
			}
		}
		if n == maxCallEvents || !r.batch.Event(&ev) {
			break
		}
		n++
	}
	r.batchBuf = r.batch.Finish()
	return r.batchBuf, n
}

// callRule makes one call and applies what it returns, all or nothing. The fault of a failed one is not reported yet.
func (r *Region) callRule(rule *ruleRun, data []byte, mine []int) *RuleFault {
	r.fx.Stats.RuleCalls++
	rule.units--
	rule.called = true
	before := rule.measure()
	fault := r.tryCall(rule, data, mine)
	if fault == nil {
		return nil
	}
	if slow(fault) {
		rule.units -= timeoutUnits - 1
	}
	return &RuleFault{Rule: rule.name, Plugin: rule.Plugin, Digest: rule.module.Digest, Fault: fault,
		Before: before.shown(), After: rule.measure().shown()}
}

func (r *Region) tryCall(rule *ruleRun, data []byte, mine []int) *abi.Fault {
	r.call.begin(r, rule)
	out, err := rule.Call(data, &r.call)
	if err != nil {
		var fault *abi.Fault
		if !errors.As(err, &fault) {
			fault = &abi.Fault{Kind: abi.FaultTrap, Plugin: rule.name, Message: err.Error()}
		}
		return fault
	}
	r.commands, err = abi.DecodeCommands(out, uint32(len(mine)), r.commands[:0])
	if err != nil {
		return &abi.Fault{Kind: abi.FaultOutput, Plugin: rule.name, Message: err.Error()}
	}
	r.txn.begin(r, rule, mine)
	for i := range r.commands {
		if err := r.txn.apply(&r.commands[i]); err != nil {
			r.txn.rollback()
			return &abi.Fault{Kind: err.kind, Plugin: rule.name,
				Message: fmt.Sprintf("command %d (%s): %s", i+1, r.commands[i].Kind, err.msg)}
		}
	}
	r.txn.settle()
	r.call.commit()
	return nil
}
