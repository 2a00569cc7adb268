package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/strict"
)

// given is what a scenario is given.
type given struct {
	m         venues.Manifest
	users     []person
	keys      []givenKey
	lines     map[string]int // of the manifest's paths
	elsewhere bool           // there is another region, for signals from it
}

type person struct {
	name string
	head lattice.Vec
	n    int
}

type givenKey struct {
	key   key
	value []byte
	n     int
}

// givenWords reads each kind of line.
var givenWords = map[string]func(*given, *reader, int){
	"floor": (*given).floor,
	"rate": func(g *given, r *reader, n int) {
		g.m.Venue.TickHz = int(r.integer("a rate", 10, 60))
		g.m.Venue.SendHz = min(g.m.Venue.SendHz, g.m.Venue.TickHz)
		r.literal("Hz")
	},
	"window": func(g *given, r *reader, n int) {
		g.m.Venue.GrabWindowMS = int(r.integer("a window", 0, 500))
		r.literal("ms")
	},
	"kind":    (*given).kind,
	"object":  (*given).object,
	"zone":    (*given).zone,
	"door":    (*given).door,
	"user":    (*given).user,
	"setting": (*given).setting,
	"kinds":   func(g *given, r *reader, n int) { g.m.Rules[0].Kinds = g.list(r, n, "rule[0].kinds", "a kind") },
	"zones":   func(g *given, r *reader, n int) { g.m.Rules[0].Zones = g.list(r, n, "rule[0].zones", "a zone") },
	"key":     (*given).key,
	"rule":    (*given).rule,
}

// checkGiven reads a line on its own.
func checkGiven(l *line) error {
	g, err := newGiven("rule")
	if err != nil {
		return err
	}
	return g.take(l)
}

// base is a venue with every default: a floor, a place where people appear, and the rule under test.
var base = sync.OnceValues(func() (*venues.Manifest, error) {
	return venues.Parse("base", []byte(`
		[venue]
		id = "scenario"
		name = "Scenario"
		grab_window_ms = 0
		[[floor]]
		name = "ground"
		min = [0, 0]
		max = [20, 20]
		[[spawn]]
		name = "spawn"
		at = [10, 10]
		radius = 0
		[[rule]]
		plugin = "rule"
	`), venues.Options{})
})

// newGiven is what a scenario has without being given anything; rule is the name of the rule under test.
func newGiven(rule string) (*given, error) {
	m, err := base()
	if err != nil {
		return nil, err
	}
	g := &given{m: *m, lines: map[string]int{}}
	g.m.Floors, g.m.Rules = slices.Clone(m.Floors), nil
	g.addRule(rule)
	g.m.Rules[0].Settings = map[string]any{}
	return g, nil
}

// addRule adds a rule with every default.
func (g *given) addRule(name string) *venues.Rule {
	m, _ := base()
	r := m.Rules[0]
	r.Name, r.Plugin = name, name
	g.m.Rules = append(g.m.Rules, r)
	return &g.m.Rules[len(g.m.Rules)-1]
}

func (g *given) take(l *line) error {
	r := &reader{words: l.words}
	word := r.word("what is given")
	read, ok := givenWords[word]
	if !ok {
		return fmt.Errorf("nothing can be given as %q: %s", word, strict.DidYouMean(word, slices.Sorted(maps.Keys(givenWords))))
	}
	read(g, r, l.n)
	return r.end()
}

func (g *given) floor(r *reader, n int) {
	f := &g.m.Floors[0]
	f.Max[0] = r.number("a width, metres", 1, maxMetres)
	f.Max[1] = r.number("a depth, metres", 1, maxMetres)
	if len(r.words) > 0 {
		f.Height = r.number("a height, metres", 1, 1000)
	}
	g.lines["floor[0]"] = n
}

func (g *given) kind(r *reader, n int) {
	k := venues.Kind{}
	k.SetDefaults()
	k.Name = r.name("a kind")
	for len(r.words) > 0 {
		switch w := r.word(""); w {
		case "grabbable":
			k.Grabbable = true
		case "usable":
			k.Usable = true
		default:
			r.fail("%q says nothing about a kind: grabbable and usable do", w)
		}
	}
	g.lines[fmt.Sprintf("kind[%d]", len(g.m.Kinds))] = n
	g.m.Kinds = append(g.m.Kinds, k)
}

func (g *given) object(r *reader, n int) {
	o := venues.Object{Name: r.name("an object")}
	r.literal("kind")
	o.Kind = r.name("a kind")
	r.literal("at")
	o.At = [3]float64{r.metres("x"), r.metres("y"), r.metres("z")}
	if r.next("state") {
		o.State = uint32(r.integer("a state", 0, 1<<32-1))
	}
	g.lines[fmt.Sprintf("object[%d]", len(g.m.Objects))] = n
	g.m.Objects = append(g.m.Objects, o)
}

func (g *given) zone(r *reader, n int) {
	z := venues.Zone{Name: r.name("a zone")}
	r.literal("from")
	z.Min = [2]float64{r.metres("x"), r.metres("z")}
	r.literal("to")
	z.Max = [2]float64{r.metres("x"), r.metres("z")}
	g.lines[fmt.Sprintf("zone[%d]", len(g.m.Zones))] = n
	g.m.Zones = append(g.m.Zones, z)
}

func (g *given) door(r *reader, n int) {
	d := venues.Door{}
	d.SetDefaults()
	d.Name = r.name("a door")
	r.literal("at")
	d.At = [2]float64{r.metres("x"), r.metres("z")}
	for len(r.words) > 0 {
		switch w := r.word(""); w {
		case "zone":
			d.Zone = r.name("a zone")
		case "locked":
			d.Locked = true
		default:
			r.fail("%q says nothing about a door: zone and locked do", w)
		}
	}
	g.lines[fmt.Sprintf("door[%d]", len(g.m.Doors))] = n
	g.m.Doors = append(g.m.Doors, d)
}

func (g *given) user(r *reader, n int) {
	u := person{name: r.name("a user"), n: n}
	r.literal("at")
	u.head = r.point()
	for _, v := range g.users {
		if v.name == u.name {
			r.fail("line %d gives a user of that name", v.n)
		}
	}
	g.users = append(g.users, u)
}

func (g *given) setting(r *reader, n int) {
	name := r.name("a setting")
	r.literal("=")
	w := r.word("a value")
	if r.err != nil {
		return
	}
	if _, ok := g.m.Rules[0].Settings[name]; ok {
		r.fail("setting %s is given twice", name)
		return
	}
	var v any
	switch {
	case w == "true" || w == "false":
		v = w == "true"
	case w[0] == '"':
		s, err := text(w)
		if err != nil {
			r.fail("%v", err)
		}
		v = s
	default:
		if whole, err := strconv.ParseInt(w, 10, 64); err == nil {
			v = whole
		} else if number, err := strconv.ParseFloat(w, 64); err == nil {
			v = number
		} else {
			r.fail("%q is no value: want a number, \"text\", true or false", w)
		}
	}
	g.lines["rule[0].settings."+name] = n
	if _, ok := g.lines["rule[0].settings"]; !ok {
		g.lines["rule[0].settings"] = n
	}
	g.m.Rules[0].Settings[name] = v
}

func (g *given) list(r *reader, n int, path, what string) []string {
	var list []string
	for len(r.words) > 0 && r.words[0] != "kinds" && r.words[0] != "zones" {
		g.lines[fmt.Sprintf("%s[%d]", path, len(list))] = n
		list = append(list, r.name(what))
	}
	if len(list) == 0 {
		r.fail("the line ends where %s should stand", what)
	}
	return list
}

func (g *given) key(r *reader, n int) {
	k := givenKey{n: n, key: r.key()}
	r.literal("=")
	k.value = r.stored()
	if len(k.value) > abi.MaxValue {
		r.fail("%d bytes: a value has at most %d", len(k.value), abi.MaxValue)
	}
	g.keys = append(g.keys, k)
}

// rule adds a rule that ships with the host, after the one under test.
func (g *given) rule(r *reader, n int) {
	path := fmt.Sprintf("rule[%d]", len(g.m.Rules))
	x := g.addRule(r.name("a plugin"))
	g.lines[path] = n
	for len(r.words) > 0 {
		switch w := r.word(""); w {
		case "kinds":
			x.Kinds = g.list(r, n, path+".kinds", "a kind")
		case "zones":
			x.Zones = g.list(r, n, path+".zones", "a zone")
		default:
			r.fail("%q says nothing about a rule: kinds and zones do", w)
		}
	}
}

// compile checks all of it together. Errors have the line of what is wrong.
func (g *given) compile(file string, s *Scenario, shipped []string) (*venues.Venue, error) {
	if g.elsewhere {
		f := g.m.Floors[0]
		f.Name, f.Y = "elsewhere", f.Y+f.Height+10
		g.m.Floors = append(g.m.Floors, f)
		for i := range g.m.Objects {
			g.m.Objects[i].Floor = "ground"
		}
		for i := range g.m.Zones {
			g.m.Zones[i].Floor = "ground"
		}
		for i := range g.m.Doors {
			g.m.Doors[i].Floor = "ground"
		}
	}
	for i := range g.m.Rules[1:] {
		if p := g.m.Rules[1+i].Plugin; !slices.Contains(shipped, p) {
			return nil, &Error{file, g.lines[fmt.Sprintf("rule[%d]", 1+i)], fmt.Sprintf("no plugin called %q ships with the host: %s", p, strict.DidYouMean(p, shipped))}
		}
	}
	// A venue has a place where people appear.
	side := g.m.Floors[0].Max
	g.m.Spawns = []venues.Spawn{{Name: "spawn", Floor: "ground", At: [2]float64{side[0] / 2, side[1] / 2}}}
	v, err := venues.Compile(&g.m, venues.Options{})
	if err == nil {
		return v, nil
	}
	problems, ok := errors.AsType[venues.Problems](err)
	if !ok {
		return nil, err
	}
	var all []error
	for _, p := range problems {
		n, msg := s.Line, p.Msg
		for path := p.Path; path != ""; path = parent(path) {
			if at, ok := g.lines[path]; ok {
				n = at
				break
			}
		}
		if p.Hint != "" {
			msg += "; " + p.Hint
		}
		all = append(all, &Error{file, n, msg})
	}
	return nil, errors.Join(all...)
}

// parent is the path of the table that has a value.
func parent(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '.'))]
}
