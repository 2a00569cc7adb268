package scene

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/venues"
)

const (
	// maxScore bounds what one command adds to a score, up or down.
	maxScore = 1_000_000_000
	// maxScores is how many scores a step may have; each rule of the venue has an equal share of them.
	maxScores = 2048
)

// score gives points to a person. The region tells the person and keeps no total: the store does, of what it gets with the record.
func (t *txn) score(c *abi.Command) *refusal {
	board := string(c.Data)
	switch {
	case !abi.ValidName(board):
		return refuse("data: %.40q is not a board's name: want a to z first, then up to 31 of a to z, 0 to 9 and -", board)
	case c.Value < -maxScore || c.Value > maxScore:
		return refuse("value %d is not between -%d and %d", c.Value, maxScore, maxScore)
	}
	u := t.somebody(c.Subject)
	if u == nil || c.Value == 0 {
		return nil
	}
	r := t.r
	share := maxScores / len(r.rules)
	mine := 0
	for i := range r.log.Scores {
		if r.log.Scores[i].Rule == t.rule.name {
			mine++
		}
	}
	if mine >= share {
		return refuse("more than %d scores in a tick: give the rest in the next", share)
	}
	r.log.Scores = append(r.log.Scores, saved.Score{
		N: r.saved.ScoreN + uint64(len(r.log.Scores)) + 1, Board: board, User: u.User, Load: u.load, Delta: c.Value, Rule: t.rule.name,
	})
	r.fx.Stats.Scores++
	r.emitBy(t.rule, &stream.Event{
		Audience: stream.ToSession, Session: u.Session, Entity: u.ID, At: u.head(), Type: "score",
		Body: newBody().text("board", board).id("entity", u.ID).signed("delta", c.Value).text("rule", t.rule.Plugin).done(),
	})
	return nil
}

// signal sends a message to another rule.
func (t *txn) signal(c *abi.Command) *refusal {
	name, topic, payload, ok := abi.SplitSignal(c.Data)
	switch {
	case !ok:
		return refuse("data: want the name of a rule, a zero byte, a topic, a zero byte, and a payload")
	case len(topic) > abi.MaxKey || !utf8.ValidString(topic):
		return refuse("data: the topic has %d bytes; want at most %d bytes of UTF-8", len(topic), abi.MaxKey)
	case len(payload) > abi.MaxMessage:
		return refuse("data: the payload has %d bytes, at most %d are carried", len(payload), abi.MaxMessage)
	}
	target := t.r.ruleNamed(name)
	if target < 0 {
		return refuse("data: the venue has no rule %.40q", name)
	}
	region := t.r.cfg.Region
	switch {
	case c.Scope == abi.ScopeVenue && c.Subject == 0:
		region = 0
	case c.Scope != 0 && c.Scope != abi.ScopeRegion:
		return refuse("scope %s: want region or venue", c.Scope)
	case c.Subject > uint64(len(t.r.venue.Regions)):
		return refuse("subject %d is not a region's number + 1; the venue has %d", c.Subject, len(t.r.venue.Regions))
	case c.Subject > 0:
		region = int(c.Subject - 1)
	}
	who := t.cause(c)
	if region != t.r.cfg.Region {
		return t.letter(region, stream.RegionMessage{
			Kind: stream.RegionSignal, Rule: name, Topic: topic, Data: slices.Clone(payload), User: who.User, Load: who.Load,
		})
	}
	if t.r.queued[target] >= abi.MaxSignals {
		return refuse("%d signals wait for rule %q already: send fewer, or the rest at the next tick", abi.MaxSignals, name)
	}
	t.r.enqueue(target, saved.Signal{
		Rule: name, From: t.rule.name, Region: t.r.region.Name, Topic: topic, Data: slices.Clone(payload), User: who.User, Load: who.Load,
	})
	return nil
}

// cause is the person whose doing a command is: of the event it names or, when it names none, of all of the call's events.
func (t *txn) cause(c *abi.Command) saved.Person {
	if c.Event > 0 {
		return t.happening(c.Event).who()
	}
	if len(t.mine) == 0 {
		return saved.Person{}
	}
	if h, one := t.r.onePerson(t.mine); one {
		return h.who()
	}
	return saved.Person{}
}

// toOthers sends an event to all other regions of the venue.
func (t *txn) toOthers(name string, payload []byte) *refusal {
	for i := range t.r.venue.Regions {
		if i == t.r.cfg.Region {
			continue
		}
		if bad := t.letter(i, stream.RegionMessage{Kind: stream.RegionEmit, Topic: name, Data: slices.Clone(payload)}); bad != nil {
			return bad
		}
	}
	return nil
}

// ruleNamed returns the index of the venue's rule of a name, -1 for none.
func (r *Region) ruleNamed(name string) int {
	return slices.IndexFunc(r.venue.Rules, func(c venues.CompiledRule) bool { return c.Name == name })
}

// enqueue lets a signal wait for its rule (index of the venue's).
func (r *Region) enqueue(target int, s saved.Signal) {
	r.signals = append(r.signals, s)
	r.queued[target]++
}

// unqueue takes back the signals that a failed call sent.
func (r *Region) unqueue(n int) {
	for i := n; i < len(r.signals); i++ {
		r.queued[r.ruleNamed(r.signals[i].Rule)]--
	}
	r.signals = r.signals[:n]
}

// deliverSignals turns what waits into happenings, at most abi.MaxSignals a rule. A rule that is not loaded, is in quarantine or takes no
// signals hears nothing of those for it.
func (r *Region) deliverSignals() {
	r.late = r.late[:0]
	if len(r.signals) == 0 {
		return
	}
	r.arrived = append(r.arrived[:0], r.signals...)
	r.signals = r.signals[:0]
	clear(r.queued)
	taken := make([]int, len(r.venue.Rules))
	for i := range r.arrived {
		s := &r.arrived[i]
		target := r.ruleNamed(s.Rule)
		if target < 0 {
			continue // the manifest has changed
		}
		rule := r.rules[target]
		if rule == nil || rule.quarantine || !rule.Events.Has(uint16(abi.EventSignal)) {
			continue
		}
		if taken[target]++; taken[target] > abi.MaxSignals {
			r.enqueue(target, *s)
			continue
		}
		h := happening{rule: target, signal: s, cause: saved.Person{User: s.User, Load: s.Load}, ev: abi.Event{
			Kind: abi.EventSignal, Object: uint64(r.regionNamed(s.Region) + 1), Data: abi.JoinSignal(nil, s.From, s.Topic, s.Data),
		}}
		if h.cause == (saved.Person{}) {
			// Nobody's doing: what comes of it is held against the rule that sent it, not against the one that gets it.
			h.cause = ruleAt(s.Region, s.From)
		} else {
			h.u = r.people[h.cause]
		}
		r.happen(h)
	}
}

// keepLate lets the signals that there was no time for wait again, before those that were sent meanwhile.
func (r *Region) keepLate() {
	if len(r.late) > 0 {
		r.signals = append(slices.Clone(r.late), r.signals...)
		for i := range r.late {
			r.queued[r.ruleNamed(r.late[i].Rule)]++
		}
	}
}

// restoreSignals takes the waiting signals from the durable state.
func (r *Region) restoreSignals() {
	r.queued = make([]int, len(r.venue.Rules))
	for _, s := range r.saved.Signals {
		if target := r.ruleNamed(s.Rule); target >= 0 {
			r.enqueue(target, s)
		}
	}
}

// goodEvent reports whether another region's event may be shown to clients.
func goodEvent(m *stream.RegionMessage) bool {
	return len(m.Topic) > 0 && len(m.Topic) <= maxEventName && utf8.ValidString(m.Topic) && utf8.ValidString(m.Plugin) &&
		len(m.Data) <= abi.MaxMessage && json.Valid(m.Data) && utf8.Valid(m.Data)
}
