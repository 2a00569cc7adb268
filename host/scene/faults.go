package scene

import (
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// offender is a person whose events made the rule fail, whatever the session.
type offender struct {
	faults  int    // weighed, and not forgiven yet
	blocks  int    // how often the person was kept away
	last    uint64 // tick of the last fault, or since when time forgives
	until   uint64 // kept away before this tick
	doubts  int    // how often a batch with the person's events failed and nobody was found, and not forgotten yet
	doubted uint64 // tick of the newest doubt, or since when time forgets
	passes  int    // how often the person's events must pass on their own before they are run with others' again
}

// maxDoubts bounds passes: 2^maxDoubts.
const maxDoubts = 6

// apart reports that the person's events are run on their own: they made a call fail, or perhaps did. Who mixes harmless
// events with others would be found anew, at everybody's cost, if a single one that passes were enough.
func (o *offender) apart() bool { return o.faults > 0 || o.passes > 0 }

// level is how doubtful a person is beside others: who made calls fail most of all.
func (o *offender) level() int {
	if o == nil {
		return 0 // dropped from a list that was full
	}
	if o.faults > 0 {
		return maxDoubts + 1
	}
	return min(o.doubts, maxDoubts)
}

// doubt notes that a batch with the person's events failed in a tick and nobody was found: with each time, twice as many have to pass.
func (o *offender) doubt(tick uint64, tickHz int) {
	if o.doubts > 0 && o.doubted == tick {
		return
	}
	o.forget(tick, tickHz)
	o.doubts, o.doubted = o.doubts+1, tick
	o.passes = max(o.passes, 1<<min(o.doubts-1, maxDoubts))
}

// forget takes away doubts that lie long enough in the past.
func (o *offender) forget(tick uint64, tickHz int) {
	each := forgiveS * uint64(tickHz)
	if n := (max(tick, o.doubted) - o.doubted) / each; n > 0 && o.doubts > 0 {
		o.doubts = int(max(uint64(o.doubts), n) - n)
		o.doubted += n * each
	}
}

// ruleAt is a rule of a region (by their names) among offenders: what signals that are nobody's doing are blamed on.
func ruleAt(region, rule string) saved.Person {
	return saved.Person{User: saved.RuleMark + region + "/" + rule}
}

// forgive takes away what lies long enough in the past.
func (o *offender) forgive(tick uint64, tickHz int) {
	each := forgiveS * uint64(tickHz)
	if n := (max(tick, o.last) - o.last) / each; n > 0 && o.faults > 0 {
		o.faults = int(max(uint64(o.faults), n) - n)
		o.last += n * each
	}
	if o.blocks > 0 && tick > max(o.last, o.until)+blockTicks(maxDoublings, tickHz) {
		o.blocks = 0
	}
	o.forget(tick, tickHz)
}

// clean reports that there is nothing to remember.
func (o *offender) clean(tick uint64) bool {
	return o.faults == 0 && o.blocks == 0 && o.passes == 0 && o.doubts == 0 && tick >= o.until
}

// blockTicks is how long somebody is kept away who was before so often.
func blockTicks(before, tickHz int) uint64 {
	return blockS * uint64(tickHz) << min(before, maxDoublings)
}

// keptAway settles a happening whose person is kept away from the rule and reports whether it did. That somebody is
// gone the rule hears in any case. A person's timers wait; those of other things, which the person only started, fire.
func (r *Region) keptAway(rule *ruleRun, h *happening) bool {
	o := rule.known(h)
	if o == nil || r.tick >= o.until || h.parting() {
		return false
	}
	if h.ev.Kind == abi.EventTimer {
		if h.timer.Scope != abi.ScopeUser {
			return false
		}
		rule.postpone(h.timer, uint64(r.serverTime(o.until)))
		return true
	}
	r.fail(rule, h, wire.CodeDeniedFault)
	return true
}

// leaveUndecided settles happenings that there is no time left to run. Whoever they are of is run alone next time, to
// find out whose fault it is; timers fire again, and signals come again, at the next tick.
func (r *Region) leaveUndecided(rule *ruleRun, mine []int) {
	rule.unsettled++
	for _, i := range mine {
		h := &r.happenings[i]
		if who := h.who(); who != (saved.Person{}) {
			if o := rule.offender(r, who); rule.splitting {
				o.doubt(r.tick, r.venue.TickHz)
			} else {
				o.passes = max(o.passes, 1)
			}
		}
		switch h.ev.Kind {
		case abi.EventTimer:
			rule.postpone(h.timer, h.timer.DueUS)
		case abi.EventSignal:
			r.late = append(r.late, *h.signal)
		default:
			r.fail(rule, h, wire.CodeDeniedFault)
		}
	}
}

// onePerson reports whether all the happenings are one person's, or all nobody's, and returns the first.
func (r *Region) onePerson(mine []int) (*happening, bool) {
	first := &r.happenings[mine[0]]
	for _, i := range mine {
		if r.happenings[i].who() != first.who() {
			return nil, false
		}
	}
	return first, true
}

// suspectAll marks whoever may have made a batch fail whose fault was not found.
func (r *Region) suspectAll(rule *ruleRun, mine []int) {
	rule.unsettled++
	for _, i := range mine {
		if who := r.happenings[i].who(); who != (saved.Person{}) {
			rule.offender(r, who).doubt(r.tick, r.venue.TickHz)
		}
	}
}

// maxOffenders is how many people a rule's records hold; beyond it those of people who are gone are dropped.
const maxOffenders = 1024

// offender returns what is known of a person, made if nothing is.
func (rule *ruleRun) offender(r *Region, who saved.Person) *offender {
	o := rule.offenders[who]
	if o == nil {
		if len(rule.offenders) >= maxOffenders {
			for p, o := range rule.offenders {
				if r.people[p] == nil && r.tick >= o.until {
					delete(rule.offenders, p)
				}
			}
		}
		o = &offender{}
		rule.offenders[who] = o
	}
	return o
}

// known returns what is known of the person whose doing a happening is, nil for nothing.
func (rule *ruleRun) known(h *happening) *offender {
	if len(rule.offenders) == 0 {
		return nil
	}
	return rule.offenders[h.who()] // nobody is no offender
}

// slow reports that a failed call held up everybody before it was stopped.
func slow(fault *abi.Fault) bool {
	return fault.Kind == abi.FaultFuel || fault.Kind == abi.FaultTimeout
}

// reportFault notes a failed call, and who it is blamed on: h's person; nil for nobody.
func (r *Region) reportFault(rule *ruleRun, fault *RuleFault, h *happening) {
	who := saved.Person{}
	if h != nil {
		who, fault.Session = h.who(), h.session()
	}
	weight := 1
	if slow(fault.Fault) {
		weight = timeoutFaults
	}
	rule.blameOn(r, who, weight)
	r.fx.Faults = append(r.fx.Faults, *fault)
}

// blameOn counts a fault of this step, and keeps a person who caused too many away for a while.
func (rule *ruleRun) blameOn(r *Region, who saved.Person, weight int) {
	rule.culprits = append(rule.culprits, who)
	if who == (saved.Person{}) {
		return
	}
	o := rule.offender(r, who)
	o.forgive(r.tick, r.venue.TickHz)
	o.faults, o.last = o.faults+weight, r.tick
	if o.faults >= blockFaults || o.blocks > 0 {
		o.until = r.tick + blockTicks(o.blocks, r.venue.TickHz)
		o.faults, o.blocks, o.passes = 0, o.blocks+1, max(o.passes, 1)
	}
}

// failsForMost reports that a rule fails for several of the people who are there, and for at least half of them: that is the rule's fault
// and not theirs. A few who agree to make it fail are kept away from it, and it serves the others.
func (r *Region) failsForMost(rule *ruleRun) bool {
	fails := 0
	for who, o := range rule.offenders {
		if r.people[who] != nil && (o.faults > 0 || r.tick < o.until) {
			fails++
		}
	}
	return fails >= 2 && fails >= min(len(r.people), max(3, (len(r.people)+1)/2))
}

// judge decides after a tick's calls whether the rule goes into quarantine: after faults in a row that are
// nobody's doing, or those of most people.
func (r *Region) judge(rule *ruleRun) {
	if len(rule.mine) == 0 && !rule.called {
		return
	}
	if len(rule.culprits) == 0 {
		if rule.unsettled == 0 {
			rule.streak = 0
		}
		return // the suspects' next events tell whose fault it is
	}
	// Signals of another rule that fail are kept away before long, and are no reason for quarantine.
	people := slices.DeleteFunc(rule.culprits, saved.Person.IsRule)
	if len(people) == 0 {
		return
	}
	blame := people[0]
	if slices.Contains(people, saved.Person{}) {
		blame = saved.Person{}
	}
	rule.blame[rule.streak%quarantineTicks] = blame
	rule.streak++
	if rule.streak < quarantineTicks {
		return
	}
	rule.quarantine = slices.Contains(rule.blame[:], saved.Person{}) || r.failsForMost(rule)
	if rule.quarantine {
		r.assignDeciders()
		for i := len(r.fx.Faults) - 1; i >= 0; i-- {
			if r.fx.Faults[i].Rule == rule.name {
				r.fx.Faults[i].Quarantined = true
				break
			}
		}
	}
}

// failAll fails happenings that a rule was not asked about.
func (r *Region) failAll(rule *ruleRun, mine []int, code wire.Code) {
	for _, i := range mine {
		r.fail(rule, &r.happenings[i], code)
	}
}

// fail settles a happening that no rule decided. Requests are denied, but nobody is left with an object in
// the hand: a release is honoured. Who sent a message is told. Anything else is dropped.
func (r *Region) fail(rule *ruleRun, h *happening, code wire.Code) {
	switch {
	case h.ev.Kind == abi.EventMessage:
		r.emitBy(rule, &stream.Event{
			Audience: stream.ToSession, Session: h.u.Session, Seq: h.seq, Entity: h.u.ID, At: h.u.head(), Type: "error",
			Body: newBody().code(code).text("msg", code.Meaning()).done(),
		})
	case !h.request():
	case h.ev.Kind == abi.EventRelease && h.o.holder == h.u:
		r.released(h.o, h.u.Session, h.seq, rule)
	default:
		r.denied(h.u, h.seq, h.o.ID, code, "", rule)
	}
}

// released takes an object out of the hand that holds it and says so.
func (r *Region) released(o *object, session uint64, seq uint32, rule *ruleRun) {
	by := o.State.Holder
	r.letGo(o)
	r.emitBy(rule, &stream.Event{
		Audience: stream.ToNear, Session: session, Seq: seq, Entity: o.ID, At: o.pos(), Type: "released",
		Body: newBody().id("object", o.ID).id("by", by).pose(o.State.Body.Head).done(),
	})
}
