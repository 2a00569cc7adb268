package scene

import (
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
)

// startTimer starts or restarts a timer and reports whether there is room for it.
func (rule *ruleRun) startTimer(t saved.Timer) bool {
	rule.cancelTimer(t.Name())
	if len(rule.timers) >= rule.MaxTimers {
		return false
	}
	rule.addTimer(t)
	return true
}

// addTimer starts a timer, whether there is room for it or not.
func (rule *ruleRun) addTimer(t saved.Timer) {
	t.Rule = rule.name
	i, _ := slices.BinarySearchFunc(rule.timers, t, saved.CompareTimers)
	rule.timers = slices.Insert(rule.timers, i, t)
	rule.timerNews = append(rule.timerNews, t)
}

// cancelTimer stops a timer of the rule, if there is one.
func (rule *ruleRun) cancelTimer(k saved.TimerName) {
	for i, t := range rule.timers {
		if k.Rule = t.Rule; t.Name() == k {
			rule.timers = slices.Delete(rule.timers, i, i+1)
			t.Off = true
			rule.timerNews = append(rule.timerNews, t)
			return
		}
	}
}

// fireTimers turns what is due into happenings: each timer once, in order, however late. Timers of a rule in quarantine wait.
func (r *Region) fireTimers() {
	now := uint64(r.serverTime(r.tick))
	for _, rule := range r.rules {
		if rule == nil || rule.quarantine {
			continue
		}
		n := 0
		for n < len(rule.timers) && rule.timers[n].DueUS <= now {
			t := rule.timers[n]
			n++
			t.Off = true
			rule.timerNews = append(rule.timerNews, t)
			subject := r.subjectOf(&t)
			if !rule.Events.Has(uint16(abi.EventTimer)) || !r.hasSubject(t.Scope, subject) {
				continue
			}
			h := happening{rule: rule.index, timer: t, cause: t.Cause, ev: abi.Event{
				Kind: abi.EventTimer, Scope: t.Scope, Subject: subject, Value: uint64(t.ID), Aux: t.DueUS,
			}}
			switch t.Scope {
			case abi.ScopeZone:
				h.ev.Object, h.ev.Count = subject, uint32(r.crowd[subject-1])
			case abi.ScopeUser:
				h.u = r.userByID(subject)
			}
			r.happen(h)
		}
		rule.timers = slices.Delete(rule.timers, 0, n)
	}
}

// subjectOf returns the id of what a timer belongs to, 0 for a zone that is not here.
func (r *Region) subjectOf(t *saved.Timer) uint64 {
	if t.Scope == abi.ScopeZone {
		return r.zoneNamed(t.Zone)
	}
	return t.Subject
}

// postpone gives a timer that fired in this step, and that the rule was not asked about, another due time.
func (rule *ruleRun) postpone(t saved.Timer, dueUS uint64) {
	t.Off, t.DueUS = false, dueUS
	rule.startTimer(t)
}

// forgetZones drops what rules keep for zones that the manifest no longer has in this region.
func (r *Region) forgetZones() {
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		for i := 0; i < len(rule.timers); i++ {
			if t := rule.timers[i]; t.Scope == abi.ScopeZone && r.zoneNamed(t.Zone) == 0 {
				rule.cancelTimer(t.Name())
				i--
			}
		}
		rule.forget(func(k *saved.KeyName) bool { return k.Scope == abi.ScopeZone && r.zoneNamed(k.Zone) == 0 })
	}
}

// forgetSubject drops what rules keep for an object, a door or a person who is no more: timers, and an object's keys.
func (r *Region) forgetSubject(scope abi.Scope, subject uint64) {
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		for i := 0; i < len(rule.timers); i++ {
			if t := rule.timers[i]; t.Scope == scope && t.Subject == subject {
				rule.cancelTimer(t.Name())
				i--
			}
		}
		if scope == abi.ScopeObject {
			rule.forget(func(k *saved.KeyName) bool { return k.Scope == scope && k.Subject == subject })
		}
	}
}

// forgetPerson drops what rules keep for a person.
func (r *Region) forgetPerson(who saved.Person) {
	for _, rule := range r.rules {
		if rule != nil {
			rule.forget(func(k *saved.KeyName) bool { return k.Scope == abi.ScopeUser && k.Who == who })
		}
	}
}
