package scene

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
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
	index    int    // of the venue's rules
	name     string // in the venue
	label    string // name@version of the plugin, for events
	digest   string
	events   abi.Mask
	commands abi.Mask
	views    abi.Mask
	kinds    map[int]bool
	zones    map[int]bool
	seed     uint64

	stored    *saved.Keyspace // as of the last step
	written   layer           // by the calls of this step
	evicted   int             // people at the head of the list of absent ones whose keys went in this step
	timers    []saved.Timer   // in the order they fire
	timerNews []saved.Timer

	mine      []int // indices of the step's happenings that concern it
	common    []int // those for one batch
	alone     []int // those of suspects
	units     int   // left to spend in this step
	reserve   int   // units that the common batch leaves for the suspects
	calls     uint64
	culprits  []saved.Person // of this step's faults; the zero value for a fault of nobody's
	unsettled int            // faults in this step that were traced to nobody

	streak     int                           // faulted ticks in a row
	blame      [quarantineTicks]saved.Person // whose fault each of the last was, the zero value when not one person's alone
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
		c, m := &r.venue.Rules[i], rule.Manifest()
		run := &ruleRun{
			Rule: rule, index: i, name: c.Name, label: m.Name + "@" + m.Version, digest: rule.Digest(),
			events: m.EventMask(), commands: m.CommandMask(), views: m.ViewMask(), kinds: c.Kinds, zones: c.Zones,
			seed: seedOf(r.venue.ID, r.region.Name, c.Name), stored: r.saved.Keyspace(c.Name),
			offenders: map[saved.Person]*offender{},
		}
		run.written.reset()
		r.rules[i] = run
		if err := r.roomFor(c.Name, run.views); err != nil {
			return err
		}
	}
	for _, t := range r.saved.TimersInOrder() {
		for _, rule := range r.rules {
			if rule != nil && rule.name == t.Rule {
				rule.timers = append(rule.timers, t)
			}
		}
	}
	r.assignDeciders()
	return nil
}

// assignDeciders finds the rule that decides each kind of request for each kind of object.
func (r *Region) assignDeciders() {
	kinds := [...]abi.EventKind{abi.EventGrab, abi.EventRelease, abi.EventUse}
	for q, kind := range kinds {
		r.deciders[q] = make([]int, len(r.venue.Kinds))
		for k := range r.venue.Kinds {
			r.deciders[q][k] = noRule
			for _, rule := range r.rules {
				if rule != nil && rule.kinds[k] && rule.events.Has(uint16(kind)) {
					r.deciders[q][k] = rule.index
					break
				}
			}
		}
	}
}

// viewRows is the most rows that a set of views can have.
func (r *Region) viewRows(views abi.Mask) int {
	n := 0
	if views.Has(uint16(abi.RowUser)) {
		n += r.venue.Limits.Users
	}
	if views.Has(uint16(abi.RowZone)) {
		n += len(r.zones)
	}
	for i := range r.venue.Objects {
		if r.venue.Objects[i].Region == r.cfg.Region && views.Has(uint16(abi.RowObject)) {
			n++
		}
	}
	for i := range r.venue.Doors {
		if r.venue.Doors[i].Region == r.cfg.Region && views.Has(uint16(abi.RowDoor)) {
			n++
		}
	}
	return n
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
	if !rule.events.Has(uint16(h.ev.Kind)) {
		return false
	}
	switch h.ev.Kind {
	case abi.EventEnter, abi.EventExit:
		return rule.zones[int(h.ev.Object)-1]
	case abi.EventDropped:
		return rule.kinds[int(h.o.Class)]
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
	if r.happeningsConcern() {
		r.prepareRows()
	}
	for _, rule := range r.rules {
		if rule == nil || len(rule.mine) == 0 {
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

// happeningsConcern sorts the step's happenings by rule and reports whether any rule will be called.
func (r *Region) happeningsConcern() bool {
	any := false
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		for i := range r.happenings {
			if rule.wants(&r.happenings[i]) {
				rule.mine = append(rule.mine, i)
			}
		}
		any = any || len(rule.mine) > 0 && !rule.quarantine
	}
	return any
}

// runAll runs a rule's happenings: all in one batch but those of suspects, who get one each. A loop costs so much that
// bisection may end before it finds the event; in a batch of its own, the person who brings it is
// found at the next step.
func (r *Region) runAll(rule *ruleRun) {
	alone := rule.alone[:0]
	common := rule.common[:0]
	for _, i := range rule.mine {
		if o := rule.known(&r.happenings[i]); o != nil && o.suspect {
			alone = append(alone, i)
		} else {
			common = append(common, i)
		}
	}
	rule.alone, rule.common = alone, common
	rule.reserve = 0
	if len(alone) > 0 {
		rule.reserve = callUnits / 2
	}
	r.runBatches(rule, common)
	rule.reserve = 0
	slices.SortStableFunc(alone, func(a, b int) int {
		return cmp.Compare(r.happenings[a].session(), r.happenings[b].session())
	})
	for len(alone) > 0 {
		n := 1
		for n < len(alone) && r.happenings[alone[n]].session() == r.happenings[alone[0]].session() {
			n++
		}
		failed := len(rule.culprits)
		enough := rule.units > 0
		r.runBatches(rule, alone[:n])
		if enough && len(rule.culprits) == failed {
			rule.known(&r.happenings[alone[0]]).suspect = false
		}
		alone = alone[n:]
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
	case fault.Kind == abi.FaultBudget:
		// It was not run: nobody's event is to blame.
		r.fx.Faults = append(r.fx.Faults, RuleFault{Rule: rule.name, Digest: rule.digest, Fault: fault})
		rule.units = 0
		r.leaveUndecided(rule, mine)
		return n
	case n == 1:
		h := &r.happenings[mine[0]]
		r.reportFault(rule, fault, h.u)
		r.fail(rule, h, wire.CodeDeniedFault)
		return n
	}
	before, open, reported := len(rule.culprits), rule.unsettled, len(r.fx.Faults)
	for _, half := range [...][]int{mine[:n/2], mine[n/2:]} {
		for len(half) > 0 {
			half = half[r.runBatch(rule, half):]
		}
	}
	if len(rule.culprits) > before {
		return n
	}
	// Neither half fails alone, or there was no time to find out.
	if u, one := r.oneUser(mine); one {
		r.reportFault(rule, fault, u)
		return n
	}
	if len(r.fx.Faults) == reported {
		r.fx.Faults = append(r.fx.Faults, RuleFault{Rule: rule.name, Digest: rule.digest, Fault: fault})
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
	for i := range r.rows {
		row := &r.rows[i]
		if r.batch.Len()+abi.RowSize > abi.MaxInput-eventRoom {
			// More people than the venue's limit were here when the manifest changed: any event fits all the same.
			break
		}
		if rule.views.Has(uint16(row.Kind)) {
			r.batch.Row(row)
		}
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

// callRule makes one call and applies what it returns, all or nothing.
func (r *Region) callRule(rule *ruleRun, data []byte, mine []int) *abi.Fault {
	r.fx.Stats.RuleCalls++
	rule.units--
	r.call.begin(r, rule)
	out, err := rule.Call(data, &r.call)
	if err != nil {
		var fault *abi.Fault
		if !errors.As(err, &fault) {
			fault = &abi.Fault{Kind: abi.FaultTrap, Plugin: rule.name, Message: err.Error()}
		}
		if slow(fault) {
			rule.units -= timeoutUnits - 1
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

// prepareRows writes the rows that any rule subscribes to, as the world is after triggers: rules see
// each other's effects at the next tick.
func (r *Region) prepareRows() {
	r.rows = r.rows[:0]
	var views abi.Mask
	for _, rule := range r.rules {
		if rule != nil && len(rule.mine) > 0 {
			views |= rule.views
		}
	}
	if views.Has(uint16(abi.RowObject)) {
		for _, o := range r.objects {
			p := o.pos()
			r.rows = append(r.rows, abi.Row{Kind: abi.RowObject, ID: o.ID, Class: uint32(o.Class), Holder: o.State.Holder,
				State: o.State.Value, X: p.X, Y: p.Y, Z: p.Z})
		}
	}
	if views.Has(uint16(abi.RowUser)) {
		for _, u := range r.users {
			if !u.leaving {
				p := u.head()
				r.rows = append(r.rows, abi.Row{Kind: abi.RowUser, ID: u.ID, X: p.X, Y: p.Y, Z: p.Z})
			}
		}
	}
	if views.Has(uint16(abi.RowDoor)) {
		for _, d := range r.doors {
			row := abi.Row{Kind: abi.RowDoor, ID: d.ID, State: d.value(r.tick)}
			if d.locked {
				row.Flags = 1
			}
			r.rows = append(r.rows, row)
		}
	}
	if views.Has(uint16(abi.RowZone)) {
		for _, z := range r.zones {
			r.rows = append(r.rows, abi.Row{Kind: abi.RowZone, ID: uint64(z) + 1, State: uint32(r.crowd[z]), Aux: r.doorOfZone(z)})
		}
	}
}
