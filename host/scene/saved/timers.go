package saved

import (
	"cmp"
	"slices"

	"github.com/venued/venued/abi"
)

// TimerName names a timer of any rule.
type TimerName struct {
	Rule    string
	Scope   abi.Scope
	Subject uint64
	Zone    string
	ID      int64
}

// CompareTimers orders timers as they fire.
func CompareTimers(a, b Timer) int {
	return cmp.Or(cmp.Compare(a.DueUS, b.DueUS), cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Subject, b.Subject),
		cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.ID, b.ID))
}

// Name returns what the timer is called in State.Timers.
func (t *Timer) Name() TimerName { return TimerName{t.Rule, t.Scope, t.Subject, t.Zone, t.ID} }

func (k *TimerName) timer(due Due) Timer {
	return Timer{Rule: k.Rule, Scope: k.Scope, Subject: k.Subject, Zone: k.Zone, ID: k.ID, DueUS: due.US, Cause: due.Cause}
}

// TimersInOrder returns all timers as they fire, those of one moment by rule.
func (d *State) TimersInOrder() []Timer {
	out := make([]Timer, 0, len(d.Timers))
	for k, due := range d.Timers {
		out = append(out, k.timer(due))
	}
	slices.SortFunc(out, func(a, b Timer) int { return cmp.Or(CompareTimers(a, b), cmp.Compare(a.Rule, b.Rule)) })
	return out
}
