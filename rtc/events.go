package rtc

import (
	"encoding/json"
	"slices"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// Bounds of what a session can be told again.
const (
	logUS  = 2_000_000 // key events are kept for this long
	logMax = 512       // and at most so many
)

// Events of a region that end a session; they are not passed on as they are.
const (
	eventRefused  = "refused"
	eventReplaced = "replaced"
	eventKicked   = "kicked"
)

// logged is one key event that was for a session, sent or missed.
type logged struct {
	region string
	event  *stream.Event
}

// eventLog holds the key events of the last two seconds that were for one session, so that
// a resume can tell what was missed.
type eventLog struct {
	kept    []logged
	dropped map[string]uint64 // by region: number of the newest event not kept any more
	// undone says that numbers which the client has may stand for other events by now: a region lost
	// some in a crash, or this gateway did not see them. It ends with the next welcome, which tells the client.
	undone bool
}

func (l *eventLog) add(region string, e *stream.Event, now int64) {
	n := 0
	for n < len(l.kept) && (now-l.kept[n].event.TimeUS > logUS || len(l.kept)-n >= logMax) {
		if l.dropped == nil {
			l.dropped = map[string]uint64{}
		}
		l.dropped[l.kept[n].region] = l.kept[n].event.N
		n++
	}
	l.kept = append(append(l.kept[:0], l.kept[n:]...), logged{region, e})
}

// forget drops everything: numbers before are not comparable with those that follow.
func (l *eventLog) forget(region string, newest uint64) {
	kept := l.kept[:0]
	for _, k := range l.kept {
		if k.region != region {
			kept = append(kept, k)
		}
	}
	l.kept = kept
	if l.dropped == nil {
		l.dropped = map[string]uint64{}
	}
	l.dropped[region] = newest
}

// covers reports whether every event after those that a client has is kept. A client that
// names none has seen none.
func (l *eventLog) covers(last map[string]uint64) bool {
	if l.undone {
		return false
	}
	for region, n := range l.dropped {
		if n > last[region] {
			return false
		}
	}
	return true
}

// after returns the events that a client does not have, in order.
func (l *eventLog) after(last map[string]uint64) []logged {
	var out []logged
	for _, k := range l.kept {
		if k.event.N > last[k.region] {
			out = append(out, k)
		}
	}
	return out
}

// events passes a record's key events on to those they are for.
func (h *hub) events(f *feed, rec *stream.Record, fresh bool) {
	if fresh && f.eventKnown && !f.remembers(rec) {
		// The new owner counts on from before what was told already, so that numbers come a second
		// time. Those of its events that are older than its start were told.
		f.eventN = 0
		for i := range rec.Events {
			if e := &rec.Events[i]; e.Tick <= f.tick {
				f.eventN = e.N
			} else if f.eventN == 0 {
				f.eventN = e.N - 1
			}
		}
		for _, s := range h.order {
			s.log.undone = true
		}
		h.resync(f, f.eventN)
	}
	for i := range rec.Events {
		e := &rec.Events[i]
		if f.eventKnown && e.N <= f.eventN {
			continue
		}
		if f.eventKnown && e.N > f.eventN+1 && f.eventN > 0 {
			h.resync(f, e.N-1)
		}
		known := f.eventKnown
		f.eventN, f.eventTick, f.eventKnown = e.N, e.Tick, true
		if !known && rec.Key {
			continue // from before this gateway watched
		}
		kept := *e
		h.deliver(f, &kept)
	}
	if rec.Key {
		f.eventKnown = true
	}
}

// remembers reports whether the owner that starts with a record has the newest event that was told of the
// region: it was in the store, or it is in the ring.
func (f *feed) remembers(rec *stream.Record) bool {
	return f.eventTick <= f.durable || slices.ContainsFunc(rec.Events, func(e stream.Event) bool {
		return e.N == f.eventN && e.Tick == f.eventTick
	})
}

// resync tells everyone that events of a region are missing.
func (h *hub) resync(f *feed, newest uint64) {
	h.g.log.Warn("events of a region are missing", "region", f.name)
	for _, s := range h.order {
		s.log.forget(f.name, newest)
		if s.welcomed {
			h.sendEvent(s, wire.AppendResync(nil, f.name))
		}
	}
}

// deliver passes one event on. What everyone gets is encoded once.
func (h *hub) deliver(f *feed, e *stream.Event) {
	var common []byte
	server := h.time.newest
	give := func(s *session) {
		s.log.add(f.name, e, server)
		if s.id == e.Session && e.Seq != 0 {
			s.keys.answered(e.Tick, f)
		}
		if !s.welcomed || s.conn == nil {
			return
		}
		if s.id == e.Session && e.Seq != 0 {
			h.sendEvent(s, wire.AppendEvent(nil, f.name, e, s.id))
			return
		}
		if common == nil {
			common = wire.AppendEvent(nil, f.name, e, 0)
		}
		h.sendEvent(s, common)
	}
	if e.Audience == stream.ToSession {
		if s := h.sessions[e.Session]; s != nil && !s.over {
			if h.ending(s, e) {
				return
			}
			give(s)
			if s.forged.count(e) && s.conn != nil {
				s.conn.peer.Close(wire.CodeProtocolViolation, "positions that nobody can have reached were claimed again and again: take the position of a correction")
			}
		}
		return
	}
	for _, s := range h.order {
		if s.over || s.entity == 0 {
			continue
		}
		if e.Audience == stream.ToRegion && s.feed == f ||
			e.Audience == stream.ToNear && (s.id == e.Session || s.client.Sees(e.Entity) || s.client.SeesCell(e.At)) {
			give(s)
		}
	}
}

// ending takes events that end a session: false for all others.
func (h *hub) ending(s *session, e *stream.Event) bool {
	var code wire.Code
	switch e.Type {
	case eventRefused:
		code = wire.CodeVenueFull
	case eventReplaced:
		code = wire.CodeReplaced
	case eventKicked:
		code = wire.CodeKicked
	default:
		return false
	}
	var body struct {
		Code wire.Code `json:"code"`
		Msg  string    `json:"msg"`
	}
	if json.Unmarshal(e.Body, &body) == nil && body.Code.Close() {
		code = body.Code
	}
	s.endCode, s.endMsg = code, body.Msg
	h.end(s, code, body.Msg)
	return true
}
