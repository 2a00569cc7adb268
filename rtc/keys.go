package rtc

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// Bounds of a session's key inputs.
const (
	maxUncovered = 64  // taken and not decided yet; further ones are refused as rate_limited
	maxUndurable = 256 // decided and not stored yet; beyond it the oldest are forgotten
)

// keyQueue keeps a session's key inputs, in order, until the store has what they caused.
type keyQueue struct {
	last   uint32 // newest number taken from the client
	cursor uint32 // newest number that the region has decided or queued
	kept   []keptKey
	// region and epoch are whose word the cursor is.
	region string
	epoch  uint64
	// answers are the ticks, ascending, of events that answered an input later than the cursor covered it (a contested
	// grab waits for its window) and are not stored yet; beyond maxUndurable the oldest are forgotten.
	answers []answer
	told    uint64 // newest durable tick that the client was told of
}

type keptKey struct {
	in   stream.Input
	tick uint64    // of the record whose cursor covered it, 0 until then
	by   *feed     // of that record
	sent time.Time // when it was last sent
	got  time.Time // when the client's message came
}

// answer is an event that answered an input.
type answer struct {
	tick uint64
	by   *feed
}

func (q *keyQueue) init() { q.kept = make([]keptKey, 0, 8) }

func (q *keyQueue) uncovered() int { return int(q.last - q.cursor) }

// add keeps the next input, which was just sent.
func (q *keyQueue) add(in stream.Input, now time.Time) {
	q.last = in.Seq
	q.kept = append(q.kept, keptKey{in: in, sent: now, got: now})
	if over := len(q.kept) - maxUncovered - maxUndurable; over > 0 {
		q.kept = append(q.kept[:0], q.kept[over:]...)
	}
}

// from returns the kept inputs with numbers above seq.
func (q *keyQueue) from(seq uint32) []keptKey {
	for i := range q.kept {
		if q.kept[i].in.Seq > seq {
			return q.kept[i:]
		}
	}
	return nil
}

// drop forgets what is stored, and returns the tick of the newest of that; 0 for nothing.
func (q *keyQueue) drop() (tick uint64) {
	n := 0
	for ; n < len(q.kept) && q.kept[n].tick != 0 && q.kept[n].tick <= q.kept[n].by.durable; n++ {
		tick = q.kept[n].tick
	}
	q.kept = append(q.kept[:0], q.kept[n:]...)
	return tick
}

// answered notes the tick of an event of a region that answers one of the session's inputs.
func (q *keyQueue) answered(tick uint64, by *feed) {
	if n := len(q.answers); n > 0 && q.answers[n-1].tick >= tick {
		return
	}
	if over := len(q.answers) + 1 - maxUndurable; over > 0 {
		q.answers = append(q.answers[:0], q.answers[over:]...)
	}
	q.answers = append(q.answers, answer{tick, by})
}

// settle forgets answers that are stored, and returns the tick of the newest of them; 0 for none.
func (q *keyQueue) settle() (tick uint64) {
	n := 0
	for ; n < len(q.answers) && q.answers[n].tick <= q.answers[n].by.durable; n++ {
		tick = q.answers[n].tick
	}
	q.answers = append(q.answers[:0], q.answers[n:]...)
	return tick
}

// pending returns the tick of the oldest decision that is not stored, the largest number for none.
func (q *keyQueue) pending() uint64 {
	tick := uint64(math.MaxUint64)
	if len(q.kept) > 0 && q.kept[0].tick != 0 {
		tick = q.kept[0].tick
	}
	if len(q.answers) > 0 {
		tick = min(tick, q.answers[0].tick)
	}
	return tick
}

// up takes a message of the event lane.
func (h *hub) up(c *conn, u *wire.Up, now time.Time) {
	s := c.session
	if s == nil || !s.welcomed || s.conn != c {
		return
	}
	if u.T == wire.UpSpeaking {
		s.speaking.says = u.On
		return
	}
	q := &s.keys
	switch {
	case u.N <= q.cursor:
		if c.answers.AllowN(now, 1) {
			h.sendEvent(s, (&wire.Ack{Seq: u.N, Tick: h.world.Tick(), OK: true}).Append(nil))
		}
		return
	case u.N <= q.last:
		return // its acknowledgement is on the way
	case u.N != q.last+1:
		h.refuse(s, &wire.Error{Code: wire.CodeOutOfOrder, Field: "event.n",
			Msg: fmt.Sprintf("number %d, but %d is next: send the inputs again from there", u.N, q.last+1)}, u.N, now)
		return
	case !c.limiter.AllowN(now, 1):
		h.refuse(s, &wire.Error{Code: wire.CodeRateLimited,
			Msg: fmt.Sprintf("the venue takes %g key inputs a second", h.g.cfg.Venue.Limits.EventsPerS)}, u.N, now)
		return
	case q.uncovered() >= maxUncovered:
		h.refuse(s, &wire.Error{Code: wire.CodeRateLimited,
			Msg: fmt.Sprintf("%d inputs wait for the region's decision", maxUncovered)}, u.N, now)
		return
	}
	arrival := h.time.at(now)
	in := stream.Input{
		Kind: kinds[u.T], Session: s.id, Seq: u.N, Stamp: s.pace.clamp(u.TS, arrival), Arrival: arrival,
		Object: u.Object, Hand: u.Hand, HandAt: u.HandAt, Topic: u.Topic, Data: u.Data,
	}
	q.add(in, now)
	h.g.metrics.keyInputs.Inc()
	s.feed.send(in)
}

var kinds = map[string]stream.InputKind{
	wire.UpGrab: stream.InputGrab, wire.UpRelease: stream.InputRelease,
	wire.UpUse: stream.InputUse, wire.UpMsg: stream.InputMessage,
}

// cover notes that the session's region has decided or queued its inputs up to seq. A
// new owner of the region, or a new region, may know less than the former did: then it gets the rest again. at is when the record came.
func (h *hub) cover(s *session, seq uint32, rec *stream.Record, fresh bool, at time.Time) {
	q := &s.keys
	if seq > q.last {
		// A session of a gateway that forgot it, or another one's: not ours to number.
		h.g.log.Error("a region's cursor is ahead of the client", "session", s.id, "cursor", seq, "taken", q.last)
		return
	}
	if q.region != rec.Region || q.epoch != rec.Epoch {
		fresh, q.region, q.epoch = true, rec.Region, rec.Epoch
	}
	if fresh {
		// Whatever it has not, it may never have seen.
		again := q.from(max(seq, q.cursor))
		for i := range again {
			again[i].sent = time.Time{}
		}
		defer h.resendKeys(s, at)
	}
	if seq < q.cursor {
		if !fresh {
			return
		}
		again := q.from(seq)
		if len(again) == 0 || again[0].in.Seq != seq+1 {
			h.end(s, wire.CodeSessionUnknown, "the region lost inputs of this session that are not kept any more")
			return
		}
		for i := range again {
			again[i].tick, again[i].by, again[i].sent = 0, nil, time.Time{}
		}
		q.cursor, q.answers = seq, q.answers[:0] // what was answered is undone, and will be answered anew
		return
	}
	covered := q.from(q.cursor)
	for i := range covered {
		k := &covered[i]
		if k.in.Seq > seq {
			break
		}
		k.tick, k.by = rec.Tick, s.feed
		ack := wire.Ack{Seq: k.in.Seq, Tick: rec.Tick, OK: true}
		if rec.End != 0 {
			// Reckoned back from the record's end: the gateway's own idea of server time moves with the records' lateness,
			// which is what these times are to show. Ways over the bus count as waiting.
			ack.Times = wire.Times{Received: rec.End - at.Sub(k.got).Microseconds(), Start: rec.Start, End: rec.End}
		}
		refusal(rec, s.id, &ack)
		h.sendEvent(s, ack.Append(nil))
	}
	q.cursor = seq
}

// refusal makes an acknowledgement a refusal if the same record denies the input.
func refusal(rec *stream.Record, session uint64, ack *wire.Ack) {
	for i := range rec.Events {
		e := &rec.Events[i]
		if e.Session != session || e.Seq != ack.Seq || e.Type != wire.DownDenied {
			continue
		}
		var body struct {
			Code wire.Code `json:"code"`
			Msg  string    `json:"msg"`
		}
		ack.OK, ack.Code = false, wire.CodeDeniedRule
		if json.Unmarshal(e.Body, &body) == nil && body.Code != 0 {
			ack.Code, ack.Msg = body.Code, body.Msg
		}
		return
	}
}

// durable tells a client that what its inputs caused is stored, up to the tick before the oldest decision that is not. What one
// region decided before it handed the person over is stored when that region says so.
func (h *hub) durable(s *session) {
	newest := max(s.keys.drop(), s.keys.settle())
	if newest == 0 {
		return
	}
	tick := min(max(newest, s.feed.durable), s.keys.pending()-1)
	if tick > s.keys.told {
		s.keys.told = tick
		h.sendEvent(s, wire.AppendDurable(nil, tick))
	}
}

// resendKeys sends inputs again that no record has covered for a while: all from the oldest, in order.
func (h *hub) resendKeys(s *session, now time.Time) {
	again := s.keys.from(s.keys.cursor)
	if s.over || len(again) == 0 || now.Sub(again[0].sent) < resendAfter {
		return
	}
	for i := range again {
		again[i].sent = now
		s.feed.send(again[i].in)
	}
	h.g.metrics.resends.Add(float64(len(again)))
}
