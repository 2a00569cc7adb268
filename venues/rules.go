package venues

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/venued/venued/venues/strict"
)

// Bounds of a rule's settings.
const (
	MaxSettings    = 64
	MaxSettingText = 1024 // bytes
)

var settingPattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

func (c *compiler) rules() {
	seen := make(map[string]int)
	claimed := make(map[int]int) // kind to the rule that names it
	for i := range c.m.Rules {
		r, path := &c.m.Rules[i], fmt.Sprintf("rule[%d]", i)
		g := CompiledRule{Name: r.Name, Plugin: r.Plugin, Kinds: make(map[int]bool), Zones: make(map[int]bool), Settings: r.Settings}
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
		c.settings(path+".settings", r.Settings)
		c.v.Rules = append(c.v.Rules, g)
	}
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
