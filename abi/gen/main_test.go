package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProductsAreFresh(t *testing.T) {
	stale, err := run(filepath.Join("..", ".."), true)
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) > 0 {
		t.Errorf("stale: %v: run go generate ./abi", stale)
	}
}

// What stands in the products comes out of the schema: a change of it shows in each of them.
func TestEveryProductFollowsTheSchema(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join("..", "..", name)) }
	products := func(schema []byte) map[string][]byte {
		s, err := parse(schema)
		if err != nil {
			t.Fatal(err)
		}
		p, err := generate(s, read)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	before := products(raw)
	after := products(bytes.Replace(raw, []byte("somebody came in"), []byte("somebody came through the door"), 1))
	for name, content := range before {
		if bytes.Equal(content, after[name]) {
			t.Errorf("%s does not have what the schema says of an event", name)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"cut off", `"version": 1,`, ``, ""},
		{"unknown key", `"section": "events"`, `"sections": "events"`, "unknown field"},
		{"doubled number", `{"name": "leave", "value": 2`, `{"name": "leave", "value": 1`, "join and leave are both 1"},
		{"doubled name", `{"name": "leave"`, `{"name": "join"`, "join is there twice"},
		{"later minor version", `{"name": "leave", "value": 2`, `{"name": "leave", "value": 2, "minor": 9`, "minor version 9"},
		{"too large for a set", `{"name": "leave", "value": 2`, `{"name": "leave", "value": 64`, "does not fit a set"},
		{"overlap", `{"name": "hand", "at": 2`, `{"name": "hand", "at": 1`, "lies over the one before"},
		{"unaligned", `{"name": "class", "at": 8`, `{"name": "class", "at": 7`, "not aligned"},
		{"outside", `{"name": "data", "at": 80`, `{"name": "data", "at": 84`, "ends at 92 of 88"},
		{"unknown type", `"at": 2, "type": "u8"`, `"at": 2, "type": "u7"`, `unknown type "u7"`},
		{"group of another type", `"type": "u16", "group": "EventKind"`, `"type": "u16", "group": "Audience"`, `no group "Audience" of type u16`},
		{"odd size", `"name": "Event", "size": 88`, `"name": "Event", "size": 92`, "multiple of 8"},
		{"limit", `"name": "max_commands", "value": 900`, `"name": "max_commands", "value": 0`, "max_commands"},
		{"magic", `"VNB1"}`, `"VNB"}`, "3 bytes"},
	} {
		changed := bytes.Replace(raw, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(changed, raw) {
			t.Errorf("%s: %q is not in the schema", c.name, c.old)
		}
		if c.want == "" {
			changed = changed[:len(changed)/2]
		}
		if _, err := parse(changed); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestBetweenNeedsBothMarks(t *testing.T) {
	got, err := between([]byte("a<b>old<e>z"), "<b>", "<e>", []byte("new"))
	if err != nil || string(got) != "a<b>new<e>z" {
		t.Errorf("%q, %v", got, err)
	}
	for _, text := range []string{"a<e>", "a<b>", "<e><b>"} {
		if _, err := between([]byte(text), "<b>", "<e>", nil); err == nil || !strings.Contains(err.Error(), "is missing") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
