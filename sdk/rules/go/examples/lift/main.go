//go:build wasip1

// A heavy object: one person's hands are not enough. The first who asks is told so; when a second person asks soon after, they
// lift it together. It comes down when who holds it lets go, or when the other one leaves.
//
// Setting: within_s, seconds between the two, default 2.
package main

import (
	"encoding/binary"
	"errors"
	"strconv"

	rule "github.com/venued/venued/sdk/rules/go"
)

var withinUS uint64

func main() {}

func init() { rule.Handle(start, tick) }

func start(settings *rule.Init) error {
	seconds := settings.Fixed("within_s", 2*1024)
	if seconds < 0 || seconds > 86400*1024 {
		return errors.New("within_s must be between 0 and 86400")
	}
	withinUS = uint64(seconds) * 1_000_000 / 1024
	return nil
}

func tick(batch *rule.Batch, out *rule.Commands) {
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); e.Kind {
		case rule.Grab:
			grab(&e, batch.TimeUS(), out)
		case rule.Release:
			release(&e, out)
		case rule.Dropped: // the host took it already
			if holder, partner, _ := two(e.Object, "pair"); holder != 0 && holder == e.Subject {
				down(e.Number, e.Object, partner, out)
			}
		case rule.Leave:
			leave(&e, out)
		}
	}
}

func grab(e *rule.Event, now uint64, out *rule.Commands) {
	// What was decided earlier in this batch is in the state, not yet in the event.
	holder, _, known := two(e.Object, "pair")
	if !known {
		holder = e.Holder
	}
	switch {
	case holder != 0 && holder == e.Subject: // into the other hand
		out.Grant(e)
		return
	case holder != 0:
		out.Deny(e, rule.DenyHeld, "")
		return
	}
	first, at, _ := two(e.Object, "asked")
	if first == 0 || first == e.Subject || now > at+withinUS || !join(first, e.Subject, e.Object) {
		putTwo(e.Object, "asked", e.Subject, now)
		out.Deny(e, rule.DenyRule, "needs two")
		return
	}
	rule.Del(rule.Object, e.Object, "asked")
	out.Grant(e)
	json := id(nil, `{"object":"`, e.Object)
	json = id(json, `","first":"`, first)
	json = id(json, `","second":"`, e.Subject)
	out.Emit(e.Number, rule.ToNear, e.Object, "lift.up", append(json, `"}`...))
}

// join remembers who lifts an object together. It reports false when the partner lifts something else, has left, or there is no room
// for the state.
func join(partner, holder, object uint64) bool {
	if rule.Int(rule.User, partner, "lifting", 0) != 0 || rule.PutInt(rule.User, partner, "lifting", int64(object)) != 0 {
		return false
	}
	if putTwo(object, "pair", holder, partner) != 0 {
		rule.Del(rule.User, partner, "lifting")
		return false
	}
	return true
}

func release(e *rule.Event, out *rule.Commands) {
	holder, partner, known := two(e.Object, "pair")
	if known && holder != e.Subject {
		out.Deny(e, rule.DenyNotHeld, "")
		return
	}
	out.Release(e)
	if known {
		down(e.Number, e.Object, partner, out)
	}
}

func leave(e *rule.Event, out *rule.Commands) {
	object := uint64(rule.Int(rule.User, e.Subject, "lifting", 0))
	if object == 0 {
		return
	}
	if holder, partner, _ := two(object, "pair"); holder != 0 && partner == e.Subject {
		out.Take(e.Number, object)
		down(e.Number, object, partner, out)
	}
}

// down ends a lift. The pair stays as two zeros: nobody holds the object, whatever later events of the batch say.
func down(event uint32, object, partner uint64, out *rule.Commands) {
	putTwo(object, "pair", 0, 0)
	rule.Del(rule.User, partner, "lifting")
	out.Emit(event, rule.ToNear, object, "lift.down", append(id(nil, `{"object":"`, object), `"}`...))
}

// two reads a pair of numbers that an object keeps.
func two(object uint64, key string) (a, b uint64, ok bool) {
	var raw [16]byte
	if rule.Get(rule.Object, object, key, raw[:]) != len(raw) {
		return 0, 0, false
	}
	return binary.LittleEndian.Uint64(raw[:]), binary.LittleEndian.Uint64(raw[8:]), true
}

func putTwo(object uint64, key string, a, b uint64) int {
	var raw [16]byte
	binary.LittleEndian.PutUint64(raw[:], a)
	binary.LittleEndian.PutUint64(raw[8:], b)
	return rule.Put(rule.Object, object, key, raw[:])
}

func id(dst []byte, before string, n uint64) []byte {
	return strconv.AppendUint(append(dst, before...), n, 10)
}
