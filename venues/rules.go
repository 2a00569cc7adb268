package venues

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/venues/strict"
)

// Bounds of a rule's settings.
const (
	MaxSettings    = 64
	MaxSettingText = 1024 // bytes
)

var settingPattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// Values of a rule's on_quarantine.
const (
	QuarantineDeny     = "deny"      // requests are denied
	QuarantineFreeze   = "freeze"    // and its objects are not moved by other rules either
	QuarantineFallback = "fallback:" // and the name of the rule that decides meanwhile
)

func (c *compiler) rules() {
	seen := make(map[string]int)
	claimed := make(map[int]int)  // kind to the rule that names it
	taken := make(map[string]int) // topic to the rule that names it
	for i := range c.m.Rules {
		r, path := &c.m.Rules[i], fmt.Sprintf("rule[%d]", i)
		g := CompiledRule{Name: r.Name, Plugin: r.Plugin, Kinds: make(map[int]bool), Zones: make(map[int]bool), Settings: r.Settings, Fallback: -1}
		if c.opt.Source != nil {
			g.File, g.Line = c.opt.Source.File(), c.opt.Source.Line(path)
		}
		if c.has(path + ".plugin") {
			g.Path = c.plugin(path, r.Plugin)
		}
		if g.Name == "" && !c.has(path+".name") {
			g.Name = strings.TrimSuffix(filepath.Base(filepath.ToSlash(r.Plugin)), ".wasm")
		}
		c.ruleName(path, i, g.Name, seen)
		for j, name := range r.Kinds {
			c.claim(fmt.Sprintf("%s.kinds[%d]", path, j), i, name, &g, claimed)
		}
		for j, name := range r.Zones {
			z, ok := c.zoneIndex[name]
			if !ok {
				c.add(fmt.Sprintf("%s.zones[%d]", path, j), strict.DidYouMean(name, names(c.zoneIndex)), "no zone is called %s", quoted(name))
				continue
			}
			g.Zones[z] = true
		}
		c.topics(path, i, &g, taken)
		c.grants(path, i, &g)
		c.settings(path+".settings", r.Settings)
		c.v.Rules = append(c.v.Rules, g)
	}
	c.quarantine(seen)
	for i := range c.v.Rules {
		g := &c.v.Rules[i]
		if len(c.m.Rules[i].Kinds) == 0 {
			for k := range c.v.Kinds {
				if _, named := claimed[k]; !named {
					g.Kinds[k] = true
				}
			}
		}
		if len(c.m.Rules[i].Zones) == 0 {
			for z := range c.v.Zones {
				g.Zones[z] = true
			}
		}
	}
}

// ruleName is name for rules, whose names may come from the plugin.
func (c *compiler) ruleName(path string, i int, name string, seen map[string]int) {
	at := path + ".name"
	if name == "" || name == "." {
		return // a missing plugin has its problem already
	}
	if !namePattern.MatchString(name) {
		c.add(at, "add a name; "+nameRule, "%s is not a name", quoted(name))
	}
	if first, dup := seen[name]; dup {
		c.add(at, "give one of them a name of its own", "rule[%d]%s is called %s too", first, c.line(fmt.Sprintf("rule[%d]", first)), quoted(name))
		return
	}
	seen[name] = i
}

// plugin checks that a rule's plugin is there and returns the absolute path of a file.
func (c *compiler) plugin(path, plugin string) string {
	at := path + ".plugin"
	if !strings.HasSuffix(plugin, ".wasm") {
		if c.opt.Shipped != nil && !slices.Contains(c.opt.Shipped, plugin) {
			hint := strict.DidYouMean(plugin, c.opt.Shipped)
			if strings.ContainsAny(plugin, `/\`) {
				hint = "the name of a file ends with .wasm"
			}
			c.add(at, hint, "no plugin called %s is shipped with the host", quoted(plugin))
		}
		return ""
	}
	file := filepath.FromSlash(plugin)
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.opt.Dir, file)
	}
	file, err := filepath.Abs(file)
	if err != nil {
		c.add(at, "", "%v", err)
		return ""
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.add(at, "paths are relative to the manifest's folder", "there is no file %s", quoted(plugin))
	case err != nil:
		c.add(at, "", "%s cannot be read: %v", quoted(plugin), errors.Unwrap(err))
	case !info.Mode().IsRegular():
		c.add(at, "", "%s is not a file", quoted(plugin))
	}
	return file
}

// claim records that a rule decides the requests of a kind.
func (c *compiler) claim(path string, rule int, name string, g *CompiledRule, claimed map[int]int) {
	k, ok := c.kindIndex[name]
	if !ok {
		c.add(path, strict.DidYouMean(name, names(c.kindIndex)), "no kind is called %s", quoted(name))
		return
	}
	if first, dup := claimed[k]; dup && first != rule {
		c.add(path, "one rule decides the requests of a kind", "rule[%d]%s decides kind %s already", first, c.line(fmt.Sprintf("rule[%d]", first)), quoted(name))
		return
	}
	claimed[k] = rule
	g.Kinds[k] = true
}

// topics checks the topics that a rule takes: no two rules take one.
func (c *compiler) topics(path string, rule int, g *CompiledRule, taken map[string]int) {
	list := c.m.Rules[rule].Topics
	if list != nil && len(list) == 0 {
		c.add(path+".topics", "leave topics out to take those of the plugin", "the list is empty")
	}
	if len(list) > abi.MaxTopics {
		c.add(path+".topics", "", "%d topics; a rule takes at most %d", len(list), abi.MaxTopics)
		return
	}
	for j, topic := range list {
		at := fmt.Sprintf("%s.topics[%d]", path, j)
		if topic == "" || len(topic) > abi.MaxKey || strings.ContainsRune(topic, 0) {
			c.add(at, "", "%s is not a topic: want 1 to %d bytes, none of them zero", quoted(topic), abi.MaxKey)
			continue
		}
		if first, dup := taken[topic]; dup {
			c.add(at, "one rule takes the messages of a topic; it can signal others", "rule[%d]%s takes topic %s already",
				first, c.line(fmt.Sprintf("rule[%d]", first)), quoted(topic))
			continue
		}
		taken[topic] = rule
		g.Topics = append(g.Topics, topic)
	}
}

// grants checks what a rule is allowed.
func (c *compiler) grants(path string, rule int, g *CompiledRule) {
	r := &c.m.Rules[rule]
	if r.Allow != nil {
		g.Allow = []string{}
	}
	for j, name := range r.Allow {
		at := fmt.Sprintf("%s.allow[%d]", path, j)
		switch _, known := abi.CommandNames[name]; {
		case !known:
			c.add(at, strict.DidYouMean(name, slices.Sorted(maps.Keys(abi.CommandNames))), "no command is called %s", quoted(name))
		case slices.Contains(g.Allow, name):
			c.add(at, "", "%s is there twice", quoted(name))
		default:
			g.Allow = append(g.Allow, name)
		}
	}
	switch g.Class = abi.Class(r.Class); g.Class {
	case abi.ClassSmall, abi.ClassLarge:
	case "": // a manifest made in Go
		g.Class = abi.ClassSmall
	default:
		c.add(path+".class", `write "small" or "large"`, "no class of limits is called %s", quoted(r.Class))
	}
}

// quarantine finds out what becomes of the kinds of rules in quarantine, once all names are known.
func (c *compiler) quarantine(rules map[string]int) {
	for i := range c.v.Rules {
		g, says, at := &c.v.Rules[i], c.m.Rules[i].OnQuarantine, fmt.Sprintf("rule[%d].on_quarantine", i)
		name, fallback := strings.CutPrefix(says, QuarantineFallback)
		switch {
		case says == "" || says == QuarantineDeny:
		case says == QuarantineFreeze:
			g.Freeze = true
		case !fallback:
			c.add(at, `write "deny", "freeze" or "fallback:" and the name of a rule`, "%s is not something to do", quoted(says))
		default:
			j, ok := rules[name]
			switch {
			case !ok:
				c.add(at, strict.DidYouMean(name, names(rules)), "no rule is called %s", quoted(name))
			case j == i:
				c.add(at, "name another rule", "the rule cannot stand in for itself")
			default:
				g.Fallback = j
			}
		}
	}
	for i := range c.v.Rules {
		steps := 0
		for j := i; j >= 0 && steps <= len(c.v.Rules); steps++ {
			if j = c.v.Rules[j].Fallback; j == i {
				c.add(fmt.Sprintf("rule[%d].on_quarantine", i), "", "the rules stand in for each other in a circle")
				c.v.Rules[i].Fallback = -1
			}
		}
	}
}

// Conflicts says which rules would both decide the same requests, or take the same topic, given their plugins' manifests, one for each of
// Rules; nil for one that is not known. Without a conflict it is empty.
func (v *Venue) Conflicts(manifests []*abi.Manifest) Problems {
	var out Problems
	bad := func(i, j int, hint, format string, args ...any) {
		a, b := &v.Rules[i], &v.Rules[j]
		at := ""
		if a.Line > 0 {
			at = fmt.Sprintf(" (line %d)", a.Line)
		}
		out = append(out, Problem{File: b.File, Line: b.Line, Path: fmt.Sprintf("rule[%d]", j), Hint: hint,
			Msg: fmt.Sprintf("rule %q and rule %q%s both ", b.Name, a.Name, at) + fmt.Sprintf(format, args...)})
	}
	requests := [...]abi.EventKind{abi.EventGrab, abi.EventRelease, abi.EventUse}
	for j := range v.Rules {
		for i := range j {
			if manifests[i] == nil || manifests[j] == nil {
				continue
			}
			both := manifests[i].EventMask() & manifests[j].EventMask()
			for k := range v.Kinds {
				if !v.Rules[i].Kinds[k] || !v.Rules[j].Kinds[k] {
					continue
				}
				at := slices.IndexFunc(requests[:], func(e abi.EventKind) bool { return both.Has(uint16(e)) })
				if at >= 0 {
					bad(i, j, "name the kinds of one of them in kinds", "decide %s requests for objects of kind %q", requests[at], v.Kinds[k].Name)
					break
				}
			}
			if !both.Has(uint16(abi.EventMessage)) {
				continue
			}
			theirs := v.Rules[i].TakenTopics(manifests[i])
			for _, topic := range v.Rules[j].TakenTopics(manifests[j]) {
				if slices.Contains(theirs, topic) {
					bad(i, j, "name the topics of one of them in topics", "take messages of topic %q", topic)
					break
				}
			}
		}
	}
	return out
}

// TakenTopics returns the topics of clients' messages that the rule takes by name; nil: all that its plugin wants no names for.
func (g *CompiledRule) TakenTopics(m *abi.Manifest) []string {
	if g.Topics != nil {
		return g.Topics
	}
	return m.Topics
}

// settings checks that a rule's settings are of types that a plugin can be given.
func (c *compiler) settings(path string, settings map[string]any) {
	if len(settings) > MaxSettings {
		c.add(path, "", "%d settings; a rule has at most %d", len(settings), MaxSettings)
	}
	keys := make([]string, 0, len(settings))
	for k := range settings {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		at := path + "." + k
		if !settingPattern.MatchString(k) {
			c.add(path, "a setting's name begins with a-z and has at most 32 of a-z, 0-9 and _", "%s is not a name", quoted(k))
			continue
		}
		switch x := settings[k].(type) {
		case int64, bool:
		case float64:
			if math.IsNaN(x) || math.Abs(x) > 1<<40 {
				c.add(at, "", "%g is not a number a plugin can be given", x)
			}
		case string:
			if len(x) > MaxSettingText {
				c.add(at, "", "the text has %d bytes; at most %d are given to a plugin", len(x), MaxSettingText)
			}
		default:
			c.add(at, "write a number, a text, true or false", "lists, tables and dates cannot be given to a plugin")
		}
	}
}
