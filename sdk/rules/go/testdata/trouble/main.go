//go:build wasip1

// A rule that gets into the trouble that a message names, for the kit's tests.
package main

import (
	"errors"

	rule "github.com/venued/venued/sdk/rules/go"
	"github.com/venued/venued/sdk/rules/go/migrate"
)

func main() {}

func init() {
	rule.Handle(start, tick)
	migrate.Handle(takeOver)
}

func start(s *rule.Init) error {
	if s.Bool("refuse", false) {
		return errors.New("not with these settings")
	}
	return nil
}

func tick(b *rule.Batch, out *rule.Commands) {
	var e rule.Event
	for i := range b.Len() {
		b.Event(i, &e)
		_, payload := e.Message()
		switch string(payload) {
		case "panic":
			panic("out of luck")
		case "error":
			panic(errors.New("an error"))
		case "index":
			_ = payload[b.Len()+len(payload)]
		case "assert":
			rule.Assert(b.Len() == 0, "no event at all")
		case "abort":
			rule.Abort("enough")
		case "count":
			sum, code := rule.AddInt(rule.User, e.Subject, "n", 3)
			rule.Assert(code == 0, "the number is kept")
			out.Score(e.Number, e.Subject, sum, "trouble")
		case "long":
			value, ok := rule.Bytes(rule.Region, 0, "long", nil)
			rule.Assert(ok == (len(value) > 0), "a value has bytes")
			code := rule.Put(rule.Region, 0, "long", append(value, make([]byte, 100)...))
			rule.Assert(code == 0, "the value is kept")
		}
	}
}

func takeOver(from int) error {
	if from != 1 {
		return errors.New("only from schema 1")
	}
	rule.Assert(rule.Int(rule.Region, 0, "bad", 0) == 0, "nothing is bad")
	rule.PutInt(rule.Region, 0, "new", 2*rule.Int(rule.Region, 0, "old", 0))
	rule.Del(rule.Region, 0, "old")
	return nil
}
