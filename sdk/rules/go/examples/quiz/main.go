//go:build wasip1

// A quiz: clients send their answers as messages of topic "quiz". The right one scores, once a person and round. Using one of
// the rule's objects starts the next round.
//
// Settings: answer, the right answer, default "b"; points, default 10.
package main

import (
	"bytes"
	"errors"
	"strconv"

	rule "github.com/venued/venued/sdk/rules/go"
)

var (
	answer string
	points int64
)

func main() {}

func init() { rule.Handle(start, tick) }

func start(settings *rule.Init) error {
	answer, points = settings.Text("answer", "b"), settings.Int("points", 10)
	if answer == "" || len(answer) > 64 {
		return errors.New("answer must have 1 to 64 bytes")
	}
	if points < 1 || points > 1_000_000 {
		return errors.New("points must be between 1 and 1000000")
	}
	return nil
}

func tick(batch *rule.Batch, out *rule.Commands) {
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); e.Kind {
		case rule.Message:
			if topic, payload := e.Message(); topic == "quiz" {
				judge(&e, given(payload), out)
			}
		case rule.Use:
			next(&e, out)
		}
	}
}

// round returns the number of the round, from 1.
func round() int64 { return rule.Int(rule.Region, 0, "round", 1) }

func judge(e *rule.Event, given string, out *rule.Commands) {
	now := round()
	switch {
	case given == "":
	case given != answer:
		out.Emit(e.Number, rule.ToUser, e.Subject, "quiz.wrong", number(`{"round":`, now, "}"))
	case rule.Int(rule.User, e.Subject, "round", 0) == now: // has its points already
		out.Emit(e.Number, rule.ToUser, e.Subject, "quiz.right", number(`{"round":`, now, `,"points":0}`))
	case rule.PutInt(rule.User, e.Subject, "round", now) == 0:
		out.Score(e.Number, e.Subject, points, "quiz")
		json := number(`{"round":`, now, `,"points":`)
		out.Emit(e.Number, rule.ToUser, e.Subject, "quiz.right", append(strconv.AppendInt(json, points, 10), '}'))
	}
}

func next(e *rule.Event, out *rule.Commands) {
	now := round() + 1
	if rule.PutInt(rule.Region, 0, "round", now) != 0 {
		out.Deny(e, rule.DenyRule, "the round cannot be kept")
		return
	}
	out.Accept(e)
	out.Emit(e.Number, rule.ToRegion, e.Object, "quiz.round", number(`{"round":`, now, "}"))
}

func number(before string, n int64, after string) []byte {
	return append(strconv.AppendInt([]byte(before), n, 10), after...)
}

const space = " \t\r\n"

// given finds the answer in a payload, which is {"answer":"b"} or the answer itself; "" for none.
func given(payload []byte) string {
	p := bytes.Trim(payload, space)
	if len(p) == 0 || p[0] != '{' {
		return string(p)
	}
	const key = `"answer"`
	i := bytes.Index(p, []byte(key))
	if i < 0 {
		return ""
	}
	p, ok := bytes.CutPrefix(bytes.TrimLeft(p[i+len(key):], space), []byte(":"))
	if !ok {
		return ""
	}
	p, ok = bytes.CutPrefix(bytes.TrimLeft(p, space), []byte(`"`))
	end := bytes.IndexByte(p, '"')
	if !ok || end < 0 || bytes.IndexByte(p[:end], '\\') >= 0 {
		return ""
	}
	return string(p[:end])
}
