package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues/strict"
)

// action is something that happens.
type action struct {
	n    int
	user string
	do   func(*play, *action) error

	object  string
	hand    uint8
	at      lattice.Vec
	dist    int64 // steps from the object
	early   int64 // microseconds
	topic   string
	payload string
	wait    float64 // in unit
	unit    string
}

// verbs reads what a user does.
var verbs = map[string]func(*action, *reader){
	"joins":    func(a *action, r *reader) { r.literal("at"); a.at, a.do = r.point(), (*play).join },
	"leaves":   func(a *action, r *reader) { a.do = (*play).leave },
	"grabs":    func(a *action, r *reader) { a.request(r, stream.InputGrab) },
	"releases": func(a *action, r *reader) { a.request(r, stream.InputRelease) },
	"uses":     func(a *action, r *reader) { a.request(r, stream.InputUse) },
	"walks":    func(a *action, r *reader) { r.literal("to"); a.at, a.do = r.point(), (*play).walk },
	"reaches":  func(a *action, r *reader) { a.at = r.point(); a.hand = r.hand(); a.do = (*play).reach },
}

func (a *action) request(r *reader, kind stream.InputKind) {
	a.object = r.name("an object")
	a.hand = r.hand()
	for len(r.words) > 0 && kind != stream.InputRelease {
		switch w := r.word(""); w {
		case "at":
			a.dist = int64(r.number("a distance, metres", 0, 10) * lattice.Steps)
			r.literal("m")
		case "early":
			a.early = int64(r.number("a time, ms", 0, 150) * 1000)
			r.literal("ms")
		default:
			r.fail("%q says nothing about it: left, right, at M m and early MS ms do", w)
		}
	}
	a.do = func(p *play, a *action) error { return p.request(a, kind) }
}

func parseAction(l *line) (*action, error) {
	a := &action{n: l.n}
	r := &reader{words: l.words}
	switch first := r.word("what happens"); first {
	case "wait":
		a.wait = r.number("a time", 0, MaxTicks)
		a.unit = r.word("s, ms or ticks")
		if !contains([]string{"s", "ms", "ticks", "tick"}, a.unit) {
			r.fail("%q is no unit of time: want s, ms or ticks", a.unit)
		}
		a.do = (*play).waitFor
	case "rule":
		a.user = r.name("a rule")
		r.literal("signals")
		a.message(r, l, 4)
		a.do = (*play).signal
	default:
		a.user = first
		if strings.HasPrefix(first, `"`) {
			r.fail("a line begins with a user, rule or wait")
		}
		verb := r.word("what " + first + " does")
		if verb == "says" {
			a.message(r, l, 3)
			a.do = (*play).say
			break
		}
		read, ok := verbs[verb]
		if r.err == nil && !ok {
			known := append(slices.Collect(maps.Keys(verbs)), "says")
			r.fail("nobody %q: %s", verb, strict.DidYouMean(verb, known))
			break
		}
		if ok {
			read(a, r)
		}
	}
	return a, r.end()
}

// message takes a topic and the rest of the line as it stands; it begins at word n, counted from 1.
func (a *action) message(r *reader, l *line, n int) {
	topic, err := text(r.word("a topic"))
	if err != nil {
		r.fail("%v", err)
		return
	}
	a.topic, r.words = topic, nil
	rest := l.text
	for range n - 1 {
		_, rest, _ = strings.Cut(strings.TrimLeft(rest, " \t"), " ")
	}
	rest = strings.TrimLeft(rest, " \t")
	if strings.HasPrefix(rest, `"`) {
		rest = rest[closing(rest):]
	} else {
		_, rest, _ = strings.Cut(rest, " ")
	}
	a.payload = strings.TrimLeft(rest, " \t")
	if len(a.payload) > abi.MaxMessage {
		r.err = fmt.Errorf("%d bytes: a message has at most %d", len(a.payload), abi.MaxMessage)
	}
}
