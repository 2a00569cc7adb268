//go:build wasip1

// A greeter: who joins gets a greeting with a count of the visitors so far.
//
// Setting: text, the greeting, at most 100 bytes, default "Welcome".
package main

import (
	"encoding/binary"
	"errors"
	"strconv"

	rule "github.com/venued/venued/sdk/rules/go"
)

// Bytes of greeting and name: even with every byte escaped the event stays below 1 KiB.
const maxText, maxName = 100, 64

var text string

func main() {}

func init() { rule.Handle(start, tick) }

func start(settings *rule.Init) error {
	text = settings.Text("text", "Welcome")
	if len(text) > maxText {
		return errors.New("text must have at most 100 bytes")
	}
	return nil
}

func tick(batch *rule.Batch, out *rule.Commands) {
	var e rule.Event
	for i := range batch.Len() {
		if batch.Event(i, &e); e.Kind == rule.Join && e.Aux == 0 { // not who only walks over from another region
			greet(&e, out)
		}
	}
}

func greet(e *rule.Event, out *rule.Commands) {
	visitors := count()
	json := append([]byte(nil), `{"text":`...)
	json = rule.AppendJSON(json, text+", "+string(e.Data[:min(len(e.Data), maxName)]))
	json = append(json, `,"visitor":`...)
	json = strconv.AppendUint(json, visitors, 10)
	out.Emit(e.Number, rule.ToUser, e.Subject, "greeting", append(json, '}'))
}

// count counts one more visitor of the region and returns how many there were.
func count() uint64 {
	var raw [8]byte
	rule.Get(rule.Region, 0, "visitors", raw[:]) // zero when missing
	n := binary.LittleEndian.Uint64(raw[:]) + 1
	binary.LittleEndian.PutUint64(raw[:], n)
	if code := rule.Put(rule.Region, 0, "visitors", raw[:]); code < 0 {
		rule.Log("the count of visitors cannot be kept: " + strconv.Itoa(code))
	}
	return n
}
