package scene

import (
	"maps"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/venues"
)

const (
	// maxOutbox is how many messages wait for another region; more are a fault of the rule that sends them.
	maxOutbox = 1024
	// maxResend is how many of them are sent again at a time.
	maxResend = 64
)

// letter prepares a message to another region (index of the venue's): it gets its number when the step ends.
func (t *txn) letter(region int, m stream.RegionMessage) *refusal {
	r := t.r
	m.From, m.To = r.region.Name, r.venue.Regions[region].Name
	if r.owed[m.To] >= maxOutbox {
		return refuse("%d messages wait for region %q already, which does not take them: send fewer", maxOutbox, m.To)
	}
	r.owed[m.To]++
	m.Sender, m.Plugin, m.Digest = t.rule.name, t.rule.Plugin, t.rule.module.short()
	r.letters = append(r.letters, m)
	return nil
}

// unsend takes back what a failed call wrote to other regions.
func (r *Region) unsend(n int) {
	for i := n; i < len(r.letters); i++ {
		r.owed[r.letters[i].To]--
	}
	r.letters = r.letters[:n]
}

// regionNamed returns the index of the venue's region of a name, -1 for none.
func (r *Region) regionNamed(name string) int {
	return slices.IndexFunc(r.venue.Regions, func(g venues.Region) bool { return g.Name == name })
}

// hear takes a message of another region, once and in order. What it cannot take yet comes again.
func (r *Region) hear(m *stream.RegionMessage) {
	if m == nil || m.To != r.region.Name || m.From == m.To || r.regionNamed(m.From) < 0 {
		r.fx.Stats.Gaps++
		return
	}
	switch at := r.heard[m.From]; {
	case !at.Before(m.At):
		r.fx.Stats.Duplicates++
	case at.Before(m.After):
		r.fx.Stats.Gaps++
	case !r.takeMessage(m):
		return // it comes again
	default:
		r.heard[m.From] = m.At
		if !slices.Contains(r.heardNews, m.From) {
			r.heardNews = append(r.heardNews, m.From)
		}
	}
	if !slices.Contains(r.echo, m.From) {
		r.echo = append(r.echo, m.From)
	}
}

// takeMessage does what a message says, and reports whether there was room for it. One that says nothing sensible does nothing.
func (r *Region) takeMessage(m *stream.RegionMessage) bool {
	switch m.Kind {
	case stream.RegionSignal:
		target := r.ruleNamed(m.Rule)
		if target < 0 || m.Topic == "" || len(m.Topic) > abi.MaxKey || len(m.Data) > abi.MaxMessage {
			return true
		}
		if r.queued[target] >= abi.MaxSignals {
			return false
		}
		r.enqueue(target, saved.Signal{Rule: m.Rule, From: m.Sender, Region: m.From, Topic: m.Topic, Data: slices.Clone(m.Data), User: strings.ToValidUTF8(m.User, "?"), Load: m.Load})
	case stream.RegionHandover:
		return r.arrive(m)
	case stream.RegionEmit:
		if goodEvent(m) {
			r.emit(&stream.Event{
				Audience: stream.ToRegion, Type: "rule", Rule: m.Plugin, Digest: m.Digest,
				Body: newBody().text("rule", m.Plugin).text("name", m.Topic).raw("data", m.Data).done(),
			})
		}
	}
	return true
}

// acked forgets messages that another region has for good.
func (r *Region) acked(m *stream.RegionMessage) {
	if m == nil || m.To != r.region.Name {
		return
	}
	n := 0
	for i := range r.saved.Sent {
		s := &r.saved.Sent[i].Message
		if s.To == m.From && !m.At.Before(s.At) && !r.isAcked(s) {
			n++
		}
	}
	if n > 0 {
		r.owed[m.From] -= n
		r.log.Acked = append(r.log.Acked, saved.Place{Region: m.From, At: m.At})
		r.landed(m.From, m.At)
	}
}

// isAcked reports whether an acknowledgement of this step covers a message.
func (r *Region) isAcked(m *stream.RegionMessage) bool {
	return slices.ContainsFunc(r.log.Acked, func(p saved.Place) bool { return p.Region == m.To && !p.At.Before(m.At) })
}

// post numbers the step's messages to other regions and puts them among the effects; once a second those too that wait for an
// acknowledgement for so long, and four times a second while people wait for it. last is the tick of the step before.
func (r *Region) post(last uint64) {
	hz := uint64(r.venue.TickHz)
	r.release()
	second, soon := last/hz != r.tick/hz, r.hurried(last)
	if (second || r.restarted || len(soon) > 0) && len(r.saved.Sent) > 0 {
		again := map[string]int{}
		for i := range r.saved.Sent {
			s := &r.saved.Sent[i]
			due := second && s.Tick+hz <= r.tick || r.restarted || slices.Contains(soon, s.Message.To)
			if !due || !r.maySend(&s.Message) || r.isAcked(&s.Message) || again[s.Message.To] >= maxResend {
				continue
			}
			m := s.Message
			if again[m.To]++; again[m.To] == 1 {
				m.After = stream.RegionPoint{} // whatever was before it, that region has
			}
			m.Again = m.Kind == stream.RegionHandover
			r.fx.Out = append(r.fx.Out, m)
		}
	}
	leaving := len(r.flights) - r.left // the first flight of this step
	for i := range r.letters {
		m := r.letters[i]
		before := r.sentTo(m.To)
		m.At = stream.RegionPoint{Epoch: r.cfg.Epoch, N: before.N + 1}
		if r.owes(m.To) {
			m.After = before
		}
		r.log.Sent = append(r.log.Sent, saved.Sent{Tick: r.tick, Message: m})
		if m.Kind == stream.RegionHandover {
			r.flights[leaving].at = m.At
			leaving++
		}
		if r.maySend(&m) {
			r.fx.Out = append(r.fx.Out, m)
		}
	}
	r.letters, r.left, r.restarted = r.letters[:0], 0, false
	if r.flightNews {
		r.fx.Flights, r.fx.FlightNews, r.flightNews = r.flying(), true, false
	}
	for _, from := range r.heardNews {
		r.log.Heard = append(r.log.Heard, saved.Place{Region: from, At: r.heard[from]})
	}
	for _, from := range r.echo {
		r.fx.Heard = append(r.fx.Heard, stream.RegionMessage{From: r.region.Name, To: from, At: r.heard[from]})
	}
	r.heardNews, r.echo = r.heardNews[:0], r.echo[:0]
}

// sentTo returns the place of the newest message to a region.
func (r *Region) sentTo(region string) stream.RegionPoint {
	for i := len(r.log.Sent) - 1; i >= 0; i-- {
		if m := &r.log.Sent[i].Message; m.To == region {
			return m.At
		}
	}
	return r.saved.SentTo[region]
}

// owes reports whether a message to a region is not acknowledged yet.
func (r *Region) owes(region string) bool {
	waits := func(s saved.Sent) bool { return s.Message.To == region && !r.isAcked(&s.Message) }
	return slices.ContainsFunc(r.log.Sent, waits) || slices.ContainsFunc(r.saved.Sent, waits)
}

// restoreMail takes from the durable state what is between this region and others. Messages to a region that the manifest
// no longer has are dropped.
func (r *Region) restoreMail() {
	r.heard, r.owed = maps.Clone(r.saved.Heard), map[string]int{}
	for i := range r.saved.Sent {
		m := &r.saved.Sent[i].Message
		if r.regionNamed(m.To) >= 0 {
			r.owed[m.To]++
		} else if !r.isAcked(m) {
			r.log.Acked = append(r.log.Acked, saved.Place{Region: m.To, At: r.saved.SentTo[m.To]})
		}
	}
}
