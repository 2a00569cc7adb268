package scenario

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/strict"
)

// check is something that must be so.
type check struct {
	n    int
	text string
	test func(*play, *check) (wrong string, err error)

	what   string
	other  string
	number int64
	at     lattice.Vec
	key    key
	value  []byte
}

var checkWords = map[string]func(*check, *reader){
	"state": func(c *check, r *reader) {
		c.what, c.number, c.test = r.name("an object"), r.integer("a state", 0, 1<<32-1), (*play).checkState
	},
	"holder": func(c *check, r *reader) {
		c.what, c.other, c.test = r.name("an object"), r.name("a user"), (*play).checkHolder
	},
	"at": func(c *check, r *reader) {
		c.what, c.at, c.test = r.name("an object or user"), r.point(), (*play).checkAt
	},
	"door": func(c *check, r *reader) {
		c.what, c.number, c.test = r.name("a door"), r.integer("permille open", 0, 1000), (*play).checkDoor
	},
	"locked":   func(c *check, r *reader) { c.what, c.number, c.test = r.name("a door"), 1, (*play).checkLocked },
	"unlocked": func(c *check, r *reader) { c.what, c.test = r.name("a door"), (*play).checkLocked },
	"key": func(c *check, r *reader) {
		c.key = r.key()
		r.literal("=")
		c.value, c.test = r.stored(), (*play).checkKey
	},
	"no": func(c *check, r *reader) { r.literal("key"); c.key, c.test = r.key(), (*play).checkNoKey },
}

func parseCheck(l *line) (*check, error) {
	c := &check{n: l.n, text: l.text}
	r := &reader{words: l.words}
	word := r.word("what must be so")
	read, ok := checkWords[word]
	if !ok {
		return nil, fmt.Errorf("%q cannot be checked: %s", word, strict.DidYouMean(word, slices.Collect(maps.Keys(checkWords))))
	}
	read(c, r)
	return c, r.end()
}

func (p *play) entity(kind stream.EntityKind, what, name string) (*stream.Entity, error) {
	key := p.region.Key()
	var known []string
	for i := range key.Entities {
		e := &key.Entities[i]
		if e.Kind != kind {
			continue
		}
		if e.Name == name {
			return e, nil
		}
		known = append(known, e.Name)
	}
	return nil, unknown(what, name, known)
}

func (p *play) checkState(c *check) (string, error) {
	e, err := p.entity(stream.Object, "object", c.what)
	if err != nil || int64(e.State.Value) == c.number {
		return "", err
	}
	return fmt.Sprintf("the state of %s is %d", c.what, e.State.Value), nil
}

func (p *play) checkHolder(c *check) (string, error) {
	e, err := p.entity(stream.Object, "object", c.what)
	if err != nil {
		return "", err
	}
	holder := "nobody"
	if e.State.Holder != 0 {
		holder = p.nameOf(e.State.Holder)
	}
	if c.other != "nobody" {
		if _, err := p.entity(stream.Avatar, "user", c.other); err != nil && holder != c.other {
			return "", err
		}
	}
	if holder == c.other {
		return "", nil
	}
	return fmt.Sprintf("%s is held by %s", c.what, holder), nil
}

// near is how far from its place something may be, steps.
const near = lattice.Steps / 20

func (p *play) checkAt(c *check) (string, error) {
	e, err := p.entity(stream.Object, "object", c.what)
	if err != nil {
		var userErr error
		if e, userErr = p.entity(stream.Avatar, "user", c.what); userErr != nil {
			return "", unknown("object or user", c.what, nil)
		}
	}
	at := e.State.Body.Head.Pos
	if at.Dist(c.at) <= near {
		return "", nil
	}
	return fmt.Sprintf("%s is at %s", c.what, point(at)), nil
}

func (p *play) checkDoor(c *check) (string, error) {
	e, err := p.entity(stream.Door, "door", c.what)
	if err != nil || int64(e.State.Value) == c.number {
		return "", err
	}
	return fmt.Sprintf("%s is %d permille open", c.what, e.State.Value), nil
}

func (p *play) checkLocked(c *check) (string, error) {
	e, err := p.entity(stream.Door, "door", c.what)
	if err != nil {
		return "", err
	}
	locked := e.State.Flags&stream.FlagLocked != 0
	switch {
	case locked == (c.number == 1):
		return "", nil
	case locked:
		return c.what + " is locked", nil
	}
	return c.what + " is not locked", nil
}

// keyName finds what a key belongs to.
func (p *play) keyName(k key) (saved.KeyName, error) {
	name := saved.KeyName{Scope: k.scope, Key: k.name}
	switch k.scope {
	case abi.ScopeObject:
		e, err := p.entity(stream.Object, "object", k.subject)
		if err != nil {
			if e, err = p.entity(stream.Door, "object or door", k.subject); err != nil {
				return name, err
			}
		}
		name.Subject = e.ID
	case abi.ScopeZone:
		i := slices.IndexFunc(p.venue.Manifest.Zones, func(z venues.Zone) bool { return z.Name == k.subject })
		if i < 0 {
			return name, fmt.Errorf("there is no zone %q", k.subject)
		}
		name.Zone = k.subject
	case abi.ScopeUser:
		name.Who.User = k.subject // also one who left, or never came
	}
	return name, nil
}

func (p *play) value(k key) (value []byte, there bool, err error) {
	name, err := p.keyName(k)
	if err != nil {
		return nil, false, err
	}
	snapshot, err := p.region.Snapshot()
	if err != nil {
		return nil, false, err
	}
	state, err := saved.Decode(snapshot, p.venue.ID, p.venue.Regions[0].Name)
	if err != nil {
		return nil, false, err
	}
	value, there = state.Keyspace(p.venue.Rules[0].Name).Value(name)
	return value, there, nil
}

func (p *play) checkKey(c *check) (string, error) {
	value, there, err := p.value(c.key)
	switch {
	case err != nil || there && bytes.Equal(value, c.value):
		return "", err
	case !there:
		return "there is no such key", nil
	}
	return "it is " + showStored(value), nil
}

func (p *play) checkNoKey(c *check) (string, error) {
	value, there, err := p.value(c.key)
	if err != nil || !there {
		return "", err
	}
	return "it is there: " + showStored(value), nil
}
