package rtc

import (
	"context"
	"errors"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/view"
)

// keyRetry is how long to wait between two calls for a key frame.
const keyRetry = 100 * time.Millisecond

// feed is one region's stream as the hub reads it, and the batches that go there.
type feed struct {
	index int // in Venue.Regions
	name  string
	sub   *bus.Sub
	dec   stream.Decoder

	began       bool // a key frame was applied
	lastRecord  time.Time
	incarnation uint64
	epoch       uint64
	tick        uint64 // of the newest record
	eventN      uint64 // newest event delivered
	eventTick   uint64 // in which it happened
	eventKnown  bool   // eventN says something
	durable     uint64
	cursors     map[uint64]uint32 // of every session in the region

	asking bool
	asked  time.Time

	batch  []stream.Input
	batchN uint64
	out    []byte
}

// record takes an encoded record from the stream, or the answer of a call for a key frame.
func (h *hub) record(f *feed, data []byte, at time.Time) {
	rec, err := f.dec.Decode(data)
	switch {
	case errors.Is(err, stream.ErrOld):
		return
	case errors.Is(err, stream.ErrGap):
		h.g.metrics.gaps.Inc()
		h.askKey(f, at)
		return
	case err != nil:
		h.g.log.Error("a region's record cannot be read", "region", f.name, "error", err)
		h.askKey(f, at)
		return
	}
	if err := h.world.Apply(rec); err != nil {
		if errors.Is(err, view.ErrStale) {
			return
		}
		h.g.log.Error("a region's record does not fit", "region", f.name, "error", err)
		f.dec = stream.Decoder{}
		h.askKey(f, at)
		return
	}
	fresh := !f.began || rec.Incarnation != f.incarnation || rec.Epoch != f.epoch
	if fresh && f.began {
		h.g.log.Info("a region has a new owner", "region", f.name, "epoch", rec.Epoch, "tick", rec.Tick)
	}
	f.began, f.incarnation, f.epoch, f.lastRecord = true, rec.Incarnation, rec.Epoch, at
	h.time.observe(rec.Tick, at)
	h.g.load.lag(lagRecord, time.Duration(h.time.at(at)-int64(rec.Tick)*h.time.tickUS)*time.Microsecond)
	if rec.Key {
		clear(f.cursors)
	}
	for _, c := range rec.Cursors {
		f.cursors[c.Session] = c.Seq
		s := h.sessions[c.Session]
		if s == nil {
			continue
		}
		if h.route(s); s.feed == f {
			h.cover(s, c.Seq, rec, fresh, at)
		}
	}
	for i := range rec.Flights {
		if s := h.sessions[rec.Flights[i].Session]; s != nil {
			h.route(s)
		}
	}
	h.events(f, rec, fresh)
	f.durable, f.tick = rec.Durable, rec.Tick
	for _, s := range h.order {
		h.durable(s)
		if s.feed == f {
			h.compare(s, at)
		}
	}
	h.sweep()
}

// route follows a session that was handed over to another region: from now on its inputs go there. Those that the new region does not
// have are sent again as soon as it says so.
func (h *hub) route(s *session) {
	where := h.world.Where(s.entity)
	if where == "" || where == s.feed.name {
		return
	}
	for _, f := range h.feeds {
		if f.name == where {
			h.g.metrics.handovers.Inc()
			h.g.log.Debug("session handed over", "session", s.id, "from", s.feed.name, "to", f.name)
			s.feed, s.told = f, time.Time{}
			return
		}
	}
}

// askKey calls for a key frame, one call at a time.
func (h *hub) askKey(f *feed, now time.Time) {
	if f.asking || now.Sub(f.asked) < keyRetry {
		return
	}
	f.asking, f.asked = true, now
	h.g.work.Add(1)
	go func() {
		defer h.g.work.Done()
		ctx, cancel := context.WithTimeout(h.g.ctx, time.Second)
		defer cancel()
		data, err := h.g.cfg.Bus.Request(ctx, bus.Key(h.g.cfg.Venue.ID, f.name), nil)
		h.push(message{run: func() {
			f.asking = false
			if err != nil {
				h.g.log.Debug("no key frame", "region", f.name, "error", err)
				return
			}
			h.record(f, data, time.Now())
		}})
	}()
}

// send adds an input to a region's next batch.
func (f *feed) send(in stream.Input) { f.batch = append(f.batch, in) }

// flush publishes what has gathered for the regions. A region that cannot be reached gets
// key inputs again later; poses are worth nothing by then.
func (h *hub) flush() {
	for _, f := range h.feeds {
		for len(f.batch) > 0 {
			n := min(len(f.batch), stream.MaxBatch)
			f.batchN++
			f.out = stream.AppendInputs(f.out[:0], stream.BatchHeader{
				Gateway: h.g.id, Incarnation: f.incarnation, Epoch: f.epoch, N: f.batchN,
			}, f.batch[:n])
			if err := h.g.cfg.Bus.Publish(bus.Inputs(h.g.cfg.Venue.ID, f.name), f.out); err != nil {
				h.g.log.Warn("inputs could not be sent", "region", f.name, "inputs", n, "error", err)
			}
			f.batch = append(f.batch[:0], f.batch[n:]...)
		}
	}
}
