package scene

import (
	"encoding/json"
	"strconv"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// emit numbers an event and adds it to the step's.
func (r *Region) emit(e *stream.Event) {
	r.eventN++
	e.N, e.Tick, e.TimeUS = r.eventN, r.tick, r.serverTime(r.tick)
	r.fx.Events = append(r.fx.Events, *e)
}

// emitBy is emit for an event that a rule decided; nil for none.
func (r *Region) emitBy(rule *ruleRun, e *stream.Event) {
	if rule != nil {
		e.Rule, e.Digest = rule.Plugin, rule.module.short()
	}
	r.emit(e)
}

// denied tells a session that a request of its failed.
func (r *Region) denied(u *user, seq uint32, object uint64, code wire.Code, msg string, rule *ruleRun) {
	r.fx.Stats.Denials++
	if msg == "" {
		msg = code.Meaning()
	}
	r.emitBy(rule, &stream.Event{
		Audience: stream.ToSession, Session: u.Session, Seq: seq, Entity: u.ID, At: u.head(), Type: "denied",
		Body: newBody().id("object", object).code(code).text("msg", msg).done(),
	})
}

// body builds the JSON object of an event. Every event has one of its own: logs keep them.
type body struct{ b []byte }

func newBody() *body { return &body{b: append(make([]byte, 0, 96), '{')} }

func (b *body) name(name string) *body {
	if len(b.b) > 1 {
		b.b = append(b.b, ',')
	}
	b.b = append(strconv.AppendQuote(b.b, name), ':')
	return b
}

// id adds an id as a decimal string: JavaScript numbers lose 64-bit integers.
func (b *body) id(name string, id uint64) *body {
	b.name(name).b = append(strconv.AppendUint(append(b.b, '"'), id, 10), '"')
	return b
}

func (b *body) number(name string, n uint64) *body {
	b.name(name).b = strconv.AppendUint(b.b, n, 10)
	return b
}

func (b *body) signed(name string, n int64) *body {
	b.name(name).b = strconv.AppendInt(b.b, n, 10)
	return b
}

func (b *body) flag(name string, v bool) *body {
	b.name(name).b = strconv.AppendBool(b.b, v)
	return b
}

func (b *body) text(name, s string) *body {
	q, _ := json.Marshal(s) // a string always encodes
	return b.raw(name, q)
}

func (b *body) raw(name string, v []byte) *body {
	b.name(name).b = append(b.b, v...)
	return b
}

func (b *body) code(c wire.Code) *body {
	return b.number("code", uint64(c)).text("name", c.Name())
}

func (b *body) point(v lattice.Vec) *body {
	b.name("p").b = wire.AppendPoint(b.b, v)
	return b
}

func (b *body) pose(j lattice.Joint) *body {
	b.point(j.Pos).name("q").b = wire.AppendQuat(b.b, j.Rot)
	return b
}

func (b *body) hand(hand uint8) *body {
	if hand == 0 {
		return b.text("hand", "left")
	}
	return b.text("hand", "right")
}

func (b *body) done() []byte { return append(b.b, '}') }
