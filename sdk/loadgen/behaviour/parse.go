package behaviour

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/strict"
)

// ScriptError is one thing wrong with a script.
type ScriptError struct {
	File string
	Line int
	Msg  string
}

func (e *ScriptError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

// ScriptErrors are all things wrong with a script, as one error.
type ScriptErrors []*ScriptError

// Error is every problem, one a line, at most 20 of them.
func (e ScriptErrors) Error() string {
	var lines []string
	for i, x := range e {
		if i == 20 {
			lines = append(lines, fmt.Sprintf("and %d more", len(e)-20))
			break
		}
		lines = append(lines, x.Error())
	}
	return strings.Join(lines, "\n")
}

// parser reads a script.
type parser struct {
	script *Script
	venue  *venues.Description
	errs   ScriptErrors
	line   int
	open   []int       // repeats without an end, as indices of lines
	at     *[2]float64 // where the last start or walk ends
	took   []float64   // seconds: of the script, and of each open repeat's turn
}

// ParseScript reads a script for a venue. The error is ScriptErrors: all that is wrong, each with its line.
func ParseScript(name string, data []byte, d *venues.Description) (*Script, error) {
	p := &parser{script: &Script{Name: name, Spread: 5}, venue: d, took: []float64{0}}
	lines := strings.Split(string(data), "\n")
	switch {
	case len(data) > MaxScript:
		return nil, ScriptErrors{{name, 1, fmt.Sprintf("the script has %d bytes, at most %d are read", len(data), MaxScript)}}
	case !utf8.Valid(data):
		return nil, ScriptErrors{{name, 1, "the script is not UTF-8 text"}}
	case len(lines) > maxScriptLines:
		return nil, ScriptErrors{{name, maxScriptLines, fmt.Sprintf("the script has %d lines, at most %d are read", len(lines), maxScriptLines)}}
	}
	for i, text := range lines {
		p.line = i + 1
		text, _, _ = strings.Cut(text, "#")
		if words := strings.Fields(text); len(words) > 0 {
			p.instruction(words, strings.TrimSpace(text))
		}
	}
	for _, i := range p.open {
		p.line = p.script.lines[i].n
		p.wrong("repeat without an end: add a line %q after what is repeated", "end")
	}
	s := p.script
	s.length = p.took[0]
	p.line = len(lines)
	switch {
	case len(p.errs) > 0:
	case len(s.lines) == 0:
		p.wrong("the script does nothing: give at least one instruction, such as: wait 10")
	case s.Loop && slices.ContainsFunc(s.lines, func(l scriptLine) bool { return l.op == "leave" }):
		p.wrong("a script that loops never ends: take out loop or leave")
	case s.Loop && s.length < leastLoop:
		p.wrong("one turn of the loop takes %.3g s: give it a wait or a walk, at least %v s in all", s.length, leastLoop)
	}
	if len(p.errs) > 0 {
		slices.SortStableFunc(p.errs, func(a, b *ScriptError) int { return a.Line - b.Line })
		return nil, p.errs
	}
	return s, nil
}

func (p *parser) wrong(format string, args ...any) {
	p.errs = append(p.errs, &ScriptError{p.script.Name, p.line, fmt.Sprintf(format, args...)})
}

// instructions by their first word.
var instructions = map[string]func(p *parser, args []string, rest string){
	"spread": (*parser).spread, "loop": (*parser).loop, "start": (*parser).start, "walk": (*parser).walk, "wait": (*parser).wait,
	"be": (*parser).be, "grab": (*parser).grab, "release": (*parser).release, "say": (*parser).say, "door": (*parser).door,
	"teleport": (*parser).teleport, "resume": bare(plan.Resume), "denied": bare(plan.Denied), "bad": bare(plan.Bad),
	"repeat": (*parser).repeat, "end": (*parser).end, "leave": bare(""),
}

func (p *parser) instruction(words []string, text string) {
	do, known := instructions[words[0]]
	if !known {
		all := make([]string, 0, len(instructions))
		for name := range instructions {
			all = append(all, name)
		}
		slices.Sort(all)
		p.wrong("%q is no instruction; %s", words[0], strict.DidYouMean(words[0], all))
		return
	}
	do(p, words[1:], strings.TrimSpace(strings.TrimPrefix(text, words[0])))
}

// number reads a number between bounds, and reports whether it is one.
func (p *parser) number(what, word string, lo, hi float64) (float64, bool) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(v) {
		p.wrong("%s is %q: give a number", what, word)
		return 0, false
	}
	if v < lo || v > hi {
		p.wrong("%s is %v: give %v to %v", what, v, lo, hi)
		return 0, false
	}
	return v, true
}

// args checks how many words follow an instruction.
func (p *parser) args(args []string, form string, counts ...int) bool {
	if slices.Contains(counts, len(args)) {
		return true
	}
	p.wrong("%d words follow: the form is: %s", len(args), form)
	return false
}

func (p *parser) add(l scriptLine) {
	l.n = p.line
	p.script.lines = append(p.script.lines, l)
}

func (p *parser) takes(s float64) { p.took[len(p.took)-1] += s }

func (p *parser) spread(args []string, _ string) {
	if p.args(args, "spread SECONDS", 1) {
		p.script.Spread, _ = p.number("the spread", args[0], 0, 3600)
	}
}

func (p *parser) loop(args []string, _ string) {
	if p.args(args, "loop", 0) {
		p.script.Loop = true
	}
}

// place reads x and z, which must be on a floor.
func (p *parser) place(x, z string) (to [2]float64, ok bool) {
	for i, w := range []string{x, z} {
		if to[i], ok = p.number([]string{"x", "z"}[i], w, -1e6, 1e6); !ok {
			return to, false
		}
	}
	for _, f := range p.venue.Floors {
		if to[0] >= f.Min[0] && to[0] <= f.Max[0] && to[1] >= f.Min[1] && to[1] <= f.Max[1] {
			return to, true
		}
	}
	f := &p.venue.Floors[0]
	p.wrong("(%v, %v) is on no floor of the venue %s: the floor %s reaches from (%v, %v) to (%v, %v)", to[0], to[1], p.venue.ID, f.Name,
		f.Min[0], f.Min[1], f.Max[0], f.Max[1])
	return to, false
}

func (p *parser) start(args []string, _ string) {
	if !p.args(args, "start X Z", 2) {
		return
	}
	at, ok := p.place(args[0], args[1])
	switch {
	case !ok:
	case p.script.start != nil:
		p.wrong("a second start: a script begins in one place")
	case p.at != nil || len(p.open) > 0:
		p.wrong("start comes after a walk or in a repeat: put it before")
	default:
		p.script.start, p.at = &at, &at
	}
}

func (p *parser) walk(args []string, _ string) {
	if !p.args(args, "walk X Z [in SECONDS]", 2, 4) {
		return
	}
	to, ok := p.place(args[0], args[1])
	if !ok {
		return
	}
	l := scriptLine{op: "walk", to: to}
	if p.at == nil {
		p.wrong("walk before start: say with start X Z where the script begins, so that it is known how long the walk takes")
		p.at = &to
		return
	}
	far := math.Hypot(to[0]-p.at[0], to[1]-p.at[1])
	l.in = max(far/strollSpeed, 0.5)
	if len(args) == 4 {
		if args[2] != "in" {
			p.wrong("%q: the form is: walk X Z [in SECONDS]", args[2])
			return
		}
		if l.in, ok = p.number("the time", args[3], 0.1, maxScriptTime); !ok {
			return
		}
		if speed := far / l.in; speed > maxWalkSpeed {
			p.wrong("%.1f m in %v s is %.1f m/s: nobody walks faster than %v m/s", far, l.in, speed, maxWalkSpeed)
			return
		}
	}
	p.at = &to
	p.takes(l.in)
	p.add(l)
}

func (p *parser) wait(args []string, _ string) {
	if !p.args(args, "wait SECONDS [to SECONDS]", 1, 3) {
		return
	}
	lo, ok := p.number("the time", args[0], 0, maxScriptTime)
	hi := lo
	if len(args) == 3 {
		if args[1] != "to" {
			p.wrong("%q: the form is: wait SECONDS [to SECONDS]", args[1])
			return
		}
		var okHi bool
		hi, okHi = p.number("the longest time", args[2], 0, maxScriptTime)
		if ok = ok && okHi; ok && hi < lo {
			p.wrong("it waits %v to %v s: give the shorter time first", lo, hi)
			return
		}
	}
	if ok {
		p.takes((lo + hi) / 2)
		p.add(scriptLine{op: "wait", lo: lo, hi: hi})
	}
}

func (p *parser) be(args []string, _ string) {
	if !p.args(args, "be MOTION", 1) {
		return
	}
	kinds := make([]string, len(motion.Kinds))
	for i, k := range motion.Kinds {
		kinds[i] = string(k)
	}
	if !slices.Contains(kinds, args[0]) {
		p.wrong("%q is no way to move; %s", args[0], strict.DidYouMean(args[0], kinds))
		return
	}
	p.add(scriptLine{op: "be", motion: motion.Kind(args[0])})
}

func (p *parser) act(a Act) { p.add(scriptLine{op: "act", act: a}) }

// hand takes the hand off the end of the words.
func hand(args []string) (rest []string, hand uint8) {
	if n := len(args); n > 0 && (args[n-1] == "left" || args[n-1] == "right") {
		if args[n-1] == "left" {
			return args[:n-1], 0
		}
		return args[:n-1], 1
	}
	return args, 1
}

// name checks that the venue has a thing of that name.
func (p *parser) name(what, name string, known []string) bool {
	if slices.Contains(known, name) {
		return true
	}
	p.wrong("the venue %s has no %s %q; %s", p.venue.ID, what, name, strict.DidYouMean(name, known))
	return false
}

func (p *parser) grab(args []string, _ string) {
	rest, h := hand(args)
	if !p.args(rest, "grab [OBJECT] [left|right]", 0, 1) {
		return
	}
	a := Act{Kind: plan.Grab, Hand: h}
	if len(rest) == 1 {
		var known []string
		for _, o := range p.venue.Objects {
			known = append(known, o.Name)
		}
		if a.Object = rest[0]; !p.name("object", rest[0], known) {
			return
		}
	}
	p.act(a)
}

func (p *parser) release(args []string, _ string) {
	rest, h := hand(args)
	if p.args(rest, "release [left|right]", 0) {
		p.act(Act{Kind: plan.Release, Hand: h})
	}
}

func (p *parser) say(args []string, rest string) {
	if len(args) == 0 {
		p.wrong("no topic: the form is: say TOPIC [PAYLOAD]")
		return
	}
	payload := strings.TrimSpace(strings.TrimPrefix(rest, args[0]))
	switch {
	case len(args[0]) > maxTopic:
		p.wrong("the topic has %d bytes, at most %d are sent", len(args[0]), maxTopic)
	case len(payload) > maxPayload:
		p.wrong("the payload has %d bytes, at most %d are sent", len(payload), maxPayload)
	default:
		p.act(Act{Kind: plan.Rule, Topic: args[0], Payload: []byte(payload)})
	}
}

func (p *parser) door(args []string, _ string) {
	var known []string
	for _, d := range p.venue.Doors {
		known = append(known, d.Name)
	}
	p.thing(args, plan.Door, "door", known)
}

func (p *parser) teleport(args []string, _ string) {
	var known []string
	for _, z := range p.venue.Zones {
		known = append(known, z.Name)
	}
	p.thing(args, plan.Teleport, "zone", known)
}

// thing is an act at a thing that may be named.
func (p *parser) thing(args []string, kind, what string, known []string) {
	if !p.args(args, fmt.Sprintf("%s [%s]", kind, strings.ToUpper(what)), 0, 1) {
		return
	}
	a := Act{Kind: kind}
	if len(args) == 1 {
		if a.Zone = args[0]; !p.name(what, args[0], known) {
			return
		}
	}
	p.act(a)
}

// bare is an instruction without words: an act of a kind, or the end.
func bare(kind string) func(p *parser, args []string, rest string) {
	return func(p *parser, args []string, _ string) {
		switch {
		case len(args) > 0:
			p.wrong("%q follows: the instruction stands alone", args[0])
		case kind == "":
			p.add(scriptLine{op: "leave"})
		default:
			p.act(Act{Kind: kind})
		}
	}
}

func (p *parser) repeat(args []string, _ string) {
	if !p.args(args, "repeat N", 1) {
		return
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 || n > maxScriptRepeat {
		p.wrong("%q times: give a whole number, 1 to %d", args[0], maxScriptRepeat)
		n = 1 // its end is not to be blamed
	}
	if len(p.open) == maxScriptDepth {
		p.wrong("a repeat in %d others: at most %d are nested", len(p.open), maxScriptDepth)
	}
	p.open = append(p.open, len(p.script.lines))
	p.took = append(p.took, 0)
	p.add(scriptLine{op: "repeat", times: n})
}

func (p *parser) end(args []string, _ string) {
	if !p.args(args, "end", 0) {
		return
	}
	if len(p.open) == 0 {
		p.wrong("end without a repeat")
		return
	}
	i, turn := p.open[len(p.open)-1], p.took[len(p.took)-1]
	p.open, p.took = p.open[:len(p.open)-1], p.took[:len(p.took)-1]
	if turn < leastLoop {
		p.wrong("one turn of the repeat of line %d takes %.3g s: give it a wait or a walk, at least %v s in all", p.script.lines[i].n, turn, leastLoop)
	}
	p.takes(turn * float64(p.script.lines[i].times))
	p.script.lines[i].pair = len(p.script.lines) + 1
	p.add(scriptLine{op: "end", pair: i})
}
