package venues

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues/strict"
)

// Problem is one thing wrong with a manifest: file, line, path, what, and what to do.
type Problem = strict.Problem

// Problems is the error of everything here that reads a manifest: all that is
// wrong with it, in the order of the file's lines.
type Problems = strict.Problems

// Options is what a manifest cannot know by itself. The zero value will do for
// manifests whose plugins need not be there.
type Options struct {
	// Shipped holds the names of the plugins that come with the host. Nil: not known
	// here; any name is taken, and whoever loads the rules finds out.
	Shipped []string
	// Dir is the folder that paths of .wasm files are relative to; "" is the working folder.
	Dir string
	// Source is the document the manifest was decoded from: problems then have lines.
	Source *strict.Document
}

// Bounds of a manifest, chosen so that indices, handles and packets hold them.
const (
	MaxFloors  = 64
	MaxRooms   = 256
	MaxSpawns  = 64
	MaxKinds   = 256
	MaxObjects = 4096
	MaxZones   = 1024
	MaxDoors   = 256
	MaxRules   = 32
	MaxCuts    = 255
	MaxPortals = 1024
	MaxCoordM  = 100_000 // metres from the venue's origin
	MaxFloorM  = 8_000   // metres along one side: a region's float32 positions stay exact
	MaxNameLen = 64      // letters of names and labels that people read
)

// Load reads, checks and compiles a manifest file. Paths of .wasm files are
// relative to it unless opt.Dir says otherwise.
func Load(path string, opt Options) (*Venue, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("venue manifest: %w", err)
	}
	if opt.Dir == "" {
		opt.Dir = filepath.Dir(path)
	}
	return Read(path, data, opt)
}

// Read checks and compiles a manifest from its bytes; name is what errors call it. The
// host's tables ([server], [tokens], [rtc], [store], [console], [log], [rules]) may be in it and are ignored. The error is Problems.
func Read(name string, data []byte, opt Options) (*Venue, error) {
	src, err := strict.Open(name, data)
	if err != nil {
		return nil, err
	}
	f := new(file)
	problems := src.Decode(f)
	opt.Source = src
	v, err := Compile(&f.Manifest, opt)
	if more, ok := errors.AsType[Problems](err); ok {
		problems = append(problems, more...)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return v, nil
}

// Parse reads a manifest and fills in its defaults. The error is Problems: all
// that is wrong with it, cross-field faults included.
func Parse(name string, data []byte, opt Options) (*Manifest, error) {
	v, err := Read(name, data, opt)
	if err != nil {
		return nil, err
	}
	return v.Manifest, nil
}

// file is a whole configuration file. The host's tables may stand beside the venue's; they are
// not looked into here.
type file struct {
	Manifest
	Server  map[string]any `toml:"server"`
	Tokens  map[string]any `toml:"tokens"`
	RTC     map[string]any `toml:"rtc"`
	Store   map[string]any `toml:"store"`
	Console map[string]any `toml:"console"`
	Log     map[string]any `toml:"log"`
	Rules   map[string]any `toml:"rules"`
	Bus     map[string]any `toml:"bus"`
	Cluster map[string]any `toml:"cluster"`
}

// Compile checks a manifest and makes it what the host computes with. Defaults must be filled in
// already. The venue keeps m, which must not change any more. The error is Problems.
func Compile(m *Manifest, opt Options) (*Venue, error) {
	c := &compiler{m: m, opt: opt, v: &Venue{Manifest: m}}
	if !c.counts() {
		return nil, c.problems.Err() // checks compare things with each other: not thousands of them
	}
	c.venue()
	c.floors()
	c.regions()
	c.rooms()
	c.spawns()
	c.kinds()
	c.objects()
	c.zones()
	c.interest()
	c.doors()
	c.rules()
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	return c.v, nil
}

// compiler checks and compiles in one pass, so that what is checked is what is used. A
// thing that is wrong gets a problem and does not make others: checks that
// need it are left out.
type compiler struct {
	m        *Manifest
	opt      Options
	v        *Venue
	problems Problems

	floorIndex map[string]int // name to index of v.Floors
	floorOK    []bool         // its rectangle can be used
	roomIndex  map[string]int
	roomGeom   []roomGeom
	kindIndex  map[string]int
	zoneIndex  map[string]int
	zoneOK     []bool
}

// roomGeom is a room while it is checked.
type roomGeom struct {
	floor int // -1 when unknown
	rect  Rect
	ok    bool
}

// add records a problem at a path.
func (c *compiler) add(path, hint, format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if c.opt.Source != nil {
		if c.opt.Source.Bad(path) {
			return // said already, when it was read
		}
		c.problems = append(c.problems, c.opt.Source.Problem(path, msg, hint))
		return
	}
	c.problems = append(c.problems, Problem{File: "manifest", Path: path, Msg: msg, Hint: hint})
}

// has reports whether the manifest's author wrote the value, readably; yes when unknown.
func (c *compiler) has(path string) bool { return c.opt.Source == nil || c.opt.Source.Has(path) }

// line is " (line n)" for a path, for messages that point at a second place.
func (c *compiler) line(path string) string {
	if c.opt.Source == nil {
		return ""
	}
	if n := c.opt.Source.Line(path); n > 0 {
		return fmt.Sprintf(" (line %d)", n)
	}
	return ""
}

// within checks a number against its range.
func (c *compiler) within(path string, n, low, high float64, unit string) bool {
	if n >= low && n <= high {
		return true
	}
	if unit != "" {
		unit = " " + unit
	}
	c.add(path, "", "%g%s is not between %g and %g%s", n, unit, low, high, unit)
	return false
}

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

const nameRule = "a name begins with a-z and has at most 32 of a-z, 0-9 and -"

// name checks a name and that it is the first of its sort; seen holds the index of each
// name so far and gets this one.
func (c *compiler) name(list string, i int, name string, seen map[string]int) {
	path := fmt.Sprintf("%s[%d].name", list, i)
	if name == "" && !c.has(path) {
		return // reading it said so
	}
	if !namePattern.MatchString(name) {
		c.add(path, nameRule, "%s is not a name", quoted(name))
	}
	if first, dup := seen[name]; dup {
		c.add(path, "names of one sort differ", "%s[%d]%s is called %s too", list, first, c.line(fmt.Sprintf("%s[%d].name", list, first)), quoted(name))
		return
	}
	seen[name] = i
}

// quoted cuts overlong names in messages.
func quoted(s string) string {
	if len(s) > 48 {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:48], ""))
	}
	return fmt.Sprintf("%q", s)
}

// text checks a text that people read.
func (c *compiler) text(path, s string) {
	if n := len([]rune(s)); n > MaxNameLen {
		c.add(path, "", "the text has %d letters; at most %d are shown", n, MaxNameLen)
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		c.add(path, "", "the text has control characters")
	}
}

// counts bounds the lists, and reports whether they are within their bounds.
func (c *compiler) counts() bool {
	m, ok := c.m, true
	for _, l := range [...]struct {
		name     string
		n, limit int
	}{
		{"floor", len(m.Floors), MaxFloors}, {"room", len(m.Rooms), MaxRooms}, {"spawn", len(m.Spawns), MaxSpawns},
		{"kind", len(m.Kinds), MaxKinds}, {"object", len(m.Objects), MaxObjects}, {"zone", len(m.Zones), MaxZones},
		{"door", len(m.Doors), MaxDoors}, {"rule", len(m.Rules), MaxRules}, {"cut", len(m.Cuts), MaxCuts},
		{"portal", len(m.Portals), MaxPortals},
	} {
		if l.n > l.limit {
			c.add(fmt.Sprintf("%s[%d]", l.name, l.limit), "", "%d of these; a venue has at most %d", l.n, l.limit)
			ok = false
		}
	}
	if len(m.Floors) == 0 {
		c.add("floor", "write [[floor]] with name, min and max", "a venue needs a floor")
	}
	if len(m.Spawns) == 0 {
		c.add("spawn", "write [[spawn]] with name and at", "a venue needs a point where visitors appear")
	}
	return ok
}

// venue compiles the [venue] table.
func (c *compiler) venue() {
	t, v := &c.m.Venue, c.v
	if c.has("venue.id") && !namePattern.MatchString(t.ID) {
		c.add("venue.id", "an id begins with a-z and has at most 32 of a-z, 0-9 and -", "%s is not an id", quoted(t.ID))
	}
	if c.has("venue.name") && strings.TrimSpace(t.Name) == "" {
		c.add("venue.name", "", "the name is empty")
	}
	c.text("venue.name", t.Name)
	tickOK := c.within("venue.tick_hz", float64(t.TickHz), 10, 60, "Hz")
	uploadOK := c.within("venue.upload_hz", float64(t.UploadHz), 20, 60, "Hz")
	if c.opt.Source != nil && !c.has("venue.send_hz") {
		t.SendHz = max(10, min(t.SendHz, t.TickHz))
	}
	if c.within("venue.send_hz", float64(t.SendHz), 10, 30, "Hz") && tickOK && t.SendHz > t.TickHz {
		c.add("venue.send_hz", "lower it or raise tick_hz", "%d Hz is more often than the venue's %d ticks a second", t.SendHz, t.TickHz)
	}
	c.within("venue.cell_m", t.CellM, 3, 20, "m")
	c.within("venue.grab_window_ms", float64(t.GrabWindowMS), 0, 500, "ms")

	l := &t.Limits
	c.within("venue.limits.users", float64(l.Users), 1, 10_000, "")
	speedOK := c.within("venue.limits.speed_m_s", l.SpeedMS, 0.5, 50, "m/s")
	burstOK := c.within("venue.limits.burst_m", l.BurstM, 0.1, 20, "m")
	if speedOK && burstOK && uploadOK && l.BurstM < l.SpeedMS*2/float64(t.UploadHz) {
		c.add("venue.limits.burst_m", fmt.Sprintf("write at least %.2f", math.Ceil(l.SpeedMS*200/float64(t.UploadHz))/100),
			"%g m is less than a visitor at %g m/s walks in two samples, so honest walkers would be held back", l.BurstM, l.SpeedMS)
	}
	c.within("venue.limits.hand_reach_m", l.HandReachM, 0.5, 5, "m")
	c.within("venue.limits.grab_reach_m", l.GrabReachM, 0.05, 5, "m")
	c.within("venue.limits.events_per_s", l.EventsPerS, 1, 200, "a second")
	c.within("venue.limits.rule_call_ms", float64(l.RuleCallMS), 5, 1000, "ms")
	c.within("venue.limits.resume_grace_s", l.ResumeGraceS, 1, 120, "s")
	if len(c.problems) > 0 {
		return // numbers out of range are not converted; nothing is returned anyway
	}
	v.ID, v.Name = t.ID, t.Name
	v.TickHz, v.UploadHz, v.SendHz = t.TickHz, t.UploadHz, t.SendHz
	v.Cell = steps(t.CellM)
	v.GrabWindowUS = int64(t.GrabWindowMS) * 1000
	v.Limits = CompiledLimits{
		Users:        l.Users,
		SpeedPerTick: int64(math.Round(l.SpeedMS * lattice.Steps / float64(t.TickHz))),
		Burst:        int64(steps(l.BurstM)),
		HandReach:    int64(steps(l.HandReachM)),
		GrabReach:    int64(steps(l.GrabReachM)),
		EventsPerS:   l.EventsPerS,
		RuleCallMS:   l.RuleCallMS,
		GraceTicks:   uint64(math.Ceil(l.ResumeGraceS * float64(t.TickHz))),
	}
}

// steps converts metres that were checked already.
func steps(m float64) int32 {
	n, err := lattice.FromMetres(m)
	if err != nil {
		return 0
	}
	return n
}
