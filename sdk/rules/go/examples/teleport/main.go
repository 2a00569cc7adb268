//go:build wasip1

// A teleport pad: who steps into one of the rule's zones finds themselves elsewhere, but not again before they had a rest.
//
// Settings: x_m, y_m, z_m, where to, metres, default 0, 1.6, 0; rest_s, seconds, default 3.
package main

import (
	"errors"

	rule "github.com/venued/venued/sdk/rules/go"
)

var (
	x, y, z int32 // lattice steps
	restUS  int64
)

func main() {}

func init() { rule.Handle(start, tick) }

func start(settings *rule.Init) error {
	for _, axis := range []struct {
		name string
		to   *int32
		or   int64
	}{{"x_m", &x, 0}, {"y_m", &y, 1638}, {"z_m", &z, 0}} {
		const far = 2_000_000 * 1024
		v := settings.Fixed(axis.name, axis.or)
		if v < -far || v > far {
			return errors.New(axis.name + " must lie within 2000000 m")
		}
		*axis.to = int32(v)
	}
	rest := settings.Fixed("rest_s", 3*1024)
	if rest < 0 || rest > 86400*1024 {
		return errors.New("rest_s must be between 0 and 86400")
	}
	restUS = rest * 1_000_000 / 1024
	return nil
}

func tick(batch *rule.Batch, out *rule.Commands) {
	now := int64(batch.TimeUS())
	var e rule.Event
	for i := range batch.Len() {
		if batch.Event(i, &e); e.Kind != rule.Enter {
			continue
		}
		if last := rule.Int(rule.User, e.Subject, "last_us", -1); last >= 0 && now < last+restUS {
			continue
		}
		// A person who is not in this region any more has no keys: they stay where they are.
		if rule.PutInt(rule.User, e.Subject, "last_us", now) == 0 {
			out.Teleport(e.Number, e.Subject, x, y, z)
		}
	}
}
