package rules_test

import (
	"bytes"
	"math"
	"strconv"

	"github.com/venued/venued/abi"
	rule "github.com/venued/venued/sdk/rules/go"
)

// twin is one of the worked examples as a designer writes it with the Go kit, run natively: EXAMPLES.md says what it must do. Its
// commands are valid until the next call.
type twin func(batch []byte, kv abi.KV) []byte

// fixedOf is a setting in units of 1/1024.
func fixedOf(settings map[string]any, name string, otherwise int64) int64 {
	switch v := settings[name].(type) {
	case int64:
		return v * 1024
	case float64:
		return int64(math.Round(v * 1024))
	}
	return otherwise
}

// newTwin makes the twin of quiz, teleport or lift.
func newTwin(example string, settings map[string]any) twin {
	switch example {
	case "quiz":
		q := &quizTwin{answer: "b", points: 10}
		if v, ok := settings["answer"].(string); ok {
			q.answer = v
		}
		if v, ok := settings["points"].(int64); ok {
			q.points = v
		}
		return q.call
	case "teleport":
		p := &teleportTwin{restUS: fixedOf(settings, "rest_s", 3*1024) * 1_000_000 / 1024}
		for i, axis := range []string{"x_m", "y_m", "z_m"} {
			p.to[i] = int32(fixedOf(settings, axis, []int64{0, 1638, 0}[i]))
		}
		return p.call
	case "lift":
		return (&liftTwin{withinUS: uint64(fixedOf(settings, "within_s", 2*1024)) * 1_000_000 / 1024}).call
	}
	panic("no twin of " + example)
}

// store gives a twin its state by the names of the kit.
type store struct{ abi.KV }

func (s store) int(scope abi.Scope, subject uint64, key string, otherwise int64) int64 {
	if v, code := s.Get(scope, subject, key); code == 0 && len(v) == 8 {
		return int64(le.Uint64(v))
	}
	return otherwise
}

func (s store) putInt(scope abi.Scope, subject uint64, key string, n int64) bool {
	var raw [8]byte
	le.PutUint64(raw[:], uint64(n))
	return s.Put(scope, subject, key, raw[:]) == 0
}

func (s store) two(object uint64, key string) (a, b uint64, ok bool) {
	v, code := s.Get(abi.ScopeObject, object, key)
	if code != 0 || len(v) != 16 {
		return 0, 0, false
	}
	return le.Uint64(v), le.Uint64(v[8:]), true
}

func (s store) putTwo(object uint64, key string, a, b uint64) bool {
	var raw [16]byte
	le.PutUint64(raw[:], a)
	le.PutUint64(raw[8:], b)
	return s.Put(abi.ScopeObject, object, key, raw[:]) == 0
}

type quizTwin struct {
	answer string
	points int64
	out    rule.Commands
	json   []byte
}

func (q *quizTwin) call(raw []byte, kv abi.KV) []byte {
	batch, s := rule.NewBatch(raw), store{kv}
	q.out.Reset()
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); e.Kind {
		case rule.Message:
			if topic, payload := e.Message(); topic == "quiz" {
				q.judge(&e, quizAnswer(payload), s)
			}
		case rule.Use:
			now := s.int(abi.ScopeRegion, 0, "round", 1) + 1
			if !s.putInt(abi.ScopeRegion, 0, "round", now) {
				q.out.Deny(&e, rule.DenyRule, "the round cannot be kept")
				continue
			}
			q.out.Accept(&e)
			q.out.Emit(e.Number, rule.ToRegion, e.Object, "quiz.round", q.number(`{"round":`, now, "}"))
		}
	}
	return q.out.Bytes()
}

func (q *quizTwin) judge(e *rule.Event, given []byte, s store) {
	now := s.int(abi.ScopeRegion, 0, "round", 1)
	switch {
	case len(given) == 0:
	case string(given) != q.answer:
		q.out.Emit(e.Number, rule.ToUser, e.Subject, "quiz.wrong", q.number(`{"round":`, now, "}"))
	case s.int(abi.ScopeUser, e.Subject, "round", 0) == now:
		q.out.Emit(e.Number, rule.ToUser, e.Subject, "quiz.right", q.number(`{"round":`, now, `,"points":0}`))
	case s.putInt(abi.ScopeUser, e.Subject, "round", now):
		q.out.Score(e.Number, e.Subject, q.points, "quiz")
		json := q.number(`{"round":`, now, `,"points":`)
		q.out.Emit(e.Number, rule.ToUser, e.Subject, "quiz.right", append(strconv.AppendInt(json, q.points, 10), '}'))
	}
}

func (q *quizTwin) number(before string, n int64, after string) []byte {
	q.json = append(strconv.AppendInt(append(q.json[:0], before...), n, 10), after...)
	return q.json
}

// quizAnswer is what a payload answers, nothing when it is badly formed.
func quizAnswer(payload []byte) []byte {
	const space = " \t\r\n"
	p := bytes.Trim(payload, space)
	if len(p) == 0 || p[0] != '{' {
		return p
	}
	_, p, ok := bytes.Cut(p, []byte(`"answer"`))
	for _, next := range []string{":", `"`} {
		if ok {
			p, ok = bytes.CutPrefix(bytes.TrimLeft(p, space), []byte(next))
		}
	}
	answer, _, closed := bytes.Cut(p, []byte(`"`))
	if !ok || !closed || bytes.IndexByte(answer, '\\') >= 0 {
		return nil
	}
	return answer
}

type teleportTwin struct {
	to     [3]int32
	restUS int64
	out    rule.Commands
}

func (p *teleportTwin) call(raw []byte, kv abi.KV) []byte {
	batch, s := rule.NewBatch(raw), store{kv}
	now := int64(batch.TimeUS())
	p.out.Reset()
	var e rule.Event
	for i := range batch.Len() {
		if batch.Event(i, &e); e.Kind != rule.Enter {
			continue
		}
		last := s.int(abi.ScopeUser, e.Subject, "last_us", -1)
		if rested := last < 0 || now >= last+p.restUS; rested && s.putInt(abi.ScopeUser, e.Subject, "last_us", now) {
			p.out.Teleport(e.Number, e.Subject, p.to[0], p.to[1], p.to[2])
		}
	}
	return p.out.Bytes()
}

type liftTwin struct {
	withinUS uint64
	out      rule.Commands
	json     []byte
}

func (l *liftTwin) call(raw []byte, kv abi.KV) []byte {
	batch, s := rule.NewBatch(raw), store{kv}
	l.out.Reset()
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); e.Kind {
		case rule.Grab:
			l.grab(&e, batch.TimeUS(), s)
		case rule.Release:
			holder, partner, known := s.two(e.Object, "pair")
			if known && holder != e.Subject {
				l.out.Deny(&e, rule.DenyNotHeld, "")
				continue
			}
			if l.out.Release(&e); known {
				l.down(e.Number, e.Object, partner, s)
			}
		case rule.Dropped:
			if holder, partner, _ := s.two(e.Object, "pair"); holder != 0 && holder == e.Subject {
				l.down(e.Number, e.Object, partner, s)
			}
		case rule.Leave:
			object := uint64(s.int(abi.ScopeUser, e.Subject, "lifting", 0))
			if holder, partner, _ := s.two(object, "pair"); object != 0 && holder != 0 && partner == e.Subject {
				l.out.Take(e.Number, object)
				l.down(e.Number, object, partner, s)
			}
		}
	}
	return l.out.Bytes()
}

func (l *liftTwin) grab(e *rule.Event, now uint64, s store) {
	holder, _, known := s.two(e.Object, "pair")
	if !known {
		holder = e.Holder
	}
	switch holder {
	case e.Subject:
		l.out.Grant(e)
		return
	case 0:
	default:
		l.out.Deny(e, rule.DenyHeld, "")
		return
	}
	first, at, _ := s.two(e.Object, "asked")
	if first == 0 || first == e.Subject || now > at+l.withinUS || !join(s, first, e.Subject, e.Object) {
		s.putTwo(e.Object, "asked", e.Subject, now)
		l.out.Deny(e, rule.DenyRule, "needs two")
		return
	}
	s.Del(abi.ScopeObject, e.Object, "asked")
	l.out.Grant(e)
	l.json = strconv.AppendUint(append(l.json[:0], `{"object":"`...), e.Object, 10)
	l.json = strconv.AppendUint(append(l.json, `","first":"`...), first, 10)
	l.json = strconv.AppendUint(append(l.json, `","second":"`...), e.Subject, 10)
	l.json = append(l.json, `"}`...)
	l.out.Emit(e.Number, rule.ToNear, e.Object, "lift.up", l.json)
}

func join(s store, partner, holder, object uint64) bool {
	if s.int(abi.ScopeUser, partner, "lifting", 0) != 0 || !s.putInt(abi.ScopeUser, partner, "lifting", int64(object)) {
		return false
	}
	if !s.putTwo(object, "pair", holder, partner) {
		s.Del(abi.ScopeUser, partner, "lifting")
		return false
	}
	return true
}

func (l *liftTwin) down(event uint32, object, partner uint64, s store) {
	s.putTwo(object, "pair", 0, 0)
	s.Del(abi.ScopeUser, partner, "lifting")
	l.json = append(strconv.AppendUint(append(l.json[:0], `{"object":"`...), object, 10), `"}`...)
	l.out.Emit(event, rule.ToNear, object, "lift.down", l.json)
}
