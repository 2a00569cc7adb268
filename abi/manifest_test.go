package abi

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const goodManifest = `{"name":"grab","version":"1.0.0","abi":1,"events":["grab","release"],
	"commands":["grant","deny"],"views":["zones"],"schema":0}`

func TestParseManifest(t *testing.T) {
	m, err := ParseManifest([]byte(goodManifest))
	if err != nil {
		t.Fatal(err)
	}
	if e := m.EventMask(); !e.Has(uint16(EventGrab)) || !e.Has(uint16(EventRelease)) || e.Has(uint16(EventUse)) || e.Has(300) {
		t.Errorf("event mask %b", e)
	}
	if c := m.CommandMask(); !c.Has(uint16(CmdGrant)) || c.Has(uint16(CmdDoor)) {
		t.Errorf("command mask %b", c)
	}
	if v := m.ViewMask(); v != 1<<RowZone {
		t.Errorf("view mask %b", v)
	}
}

func TestParseManifestRefuses(t *testing.T) {
	change := func(old, new string) string {
		s := strings.Replace(goodManifest, old, new, 1)
		if s == goodManifest {
			t.Fatalf("%q is not in the manifest", old)
		}
		return s
	}
	for _, c := range []struct{ name, in, want string }{
		{"not JSON", "hello", "JSON object"},
		{"a list", "[]", "JSON object"},
		{"cut short", goodManifest[:50], "unexpected"},
		{"trailing", goodManifest + "{}", "follows"},
		{"unknown key", change(`"schema"`, `"shema"`), `did you mean "schema"?`},
		{"doubled key", change(`"abi":1`, `"abi":1,"abi":1`), "twice"},
		{"upper-case key", change(`"abi"`, `"ABI"`), "unknown key"},
		{"wrong type", change(`"abi":1`, `"abi":"1"`), "manifest: abi"},
		{"name", change(`"grab","version"`, `"Grab!","version"`), "name"},
		{"version", change("1.0.0", "1.0"), "semantic version"},
		{"leading zero", change("1.0.0", "1.00.0"), "semantic version"},
		{"newer abi", change(`"abi":1`, `"abi":2`), "the host is older"},
		{"older abi", change(`"abi":1`, `"abi":0`), "the plugin is older"},
		{"newer minor", change(`"abi":1`, `"abi":1,"minor_min":9`), "update the host"},
		{"event", change(`"release"]`, `"relaese"]`), `events[1]: unknown name "relaese", did you mean "release"?`},
		{"far event", change(`"release"]`, `"xyz"]`), "known are"},
		{"doubled event", change(`"release"]`, `"grab"]`), "twice"},
		{"no event", change(`["grab","release"]`, `[]`), "never be called"},
		{"command", change(`"deny"`, `"dny"`), "commands[1]"},
		{"view", change(`"zones"`, `"zone"`), `did you mean "zones"?`},
		{"signal", change(`"release"]`, `"signl"]`), `did you mean "signal"?`},
		{"view of a kind of users", change(`"zones"`, `{"rows":"users","kind":"ball"}`), "only views of objects"},
		{"view of doors in a zone", change(`"zones"`, `{"rows":"doors","zone":"stage"}`), "only views of users and poses"},
		{"view without rows", change(`"zones"`, `{"kind":"ball"}`), "rows is missing"},
		{"view with an unknown key", change(`"zones"`, `{"rows":"objects","kinds":"ball"}`), `did you mean "kind"?`},
		{"view of null", change(`"zones"`, `null`), "JSON object"},
		{"poses without a rate", change(`"zones"`, `"poses"`), "hz is 0: a view of poses wants 1 to 30"},
		{"poses too often", change(`"zones"`, `{"rows":"poses","hz":31}`), "hz is 31"},
		{"objects with a rate", change(`"zones"`, `{"rows":"objects","hz":3}`), "only views of poses"},
		{"two rates", change(`"zones"`, `{"rows":"poses","hz":3,"zone":"a"},{"rows":"poses","hz":4,"zone":"b"}`), "one rate for all"},
		{"doubled view", change(`"zones"`, `{"rows":"objects","kind":"a"},{"rows":"objects","kind":"a"}`), "twice"},
		{"covered view", change(`"zones"`, `"objects",{"rows":"objects","kind":"a"}`), "has all objects already"},
		{"unnamed setting", change(`"zones"`, `{"rows":"objects","kind":"$"}`), "without the name of a setting"},
		{"state scope", withState(`{"key":"a","scope":"usr"}`), `did you mean "user"?`},
		{"state merge", withState(`{"key":"a","scope":"region","merge":"summ"}`), `did you mean "sum"?`},
		{"state key", withState(`{"key":"","scope":"region"}`), "want 1 to 128 bytes"},
		{"state star", withState(`{"key":"a*b","scope":"region"}`), "at the end"},
		{"state unknown key", withState(`{"key":"a","scope":"region","merg":"sum"}`), `did you mean "merge"?`},
		{"state twice", withState(`{"key":"p-*","scope":"user"},{"key":"p-a","scope":"user"}`), "declared by state[0] already"},
		{"topics without messages", change(`"abi":1`, `"abi":1,"topics":["quiz"]`), `lacks "message"`},
		{"no topics", strings.Replace(change(`"abi":1`, `"abi":1,"topics":[]`), `"grab"`, `"message"`, 2), "topics is empty"},
		{"topic twice", strings.Replace(change(`"abi":1`, `"abi":1,"topics":["a","a"]`), `["grab"`, `["message"`, 1), "twice"},
		{"topic empty", strings.Replace(change(`"abi":1`, `"abi":1,"topics":[""]`), `["grab"`, `["message"`, 1), "1 to 128 bytes"},
		{"fuel", change(`"abi":1`, `"abi":1,"fuel":20000001`), "fuel is 20000001"},
		{"state bytes", change(`"abi":1`, `"abi":1,"state_bytes":-1`), "state_bytes is -1"},
		{"timers", change(`"abi":1`, `"abi":1,"timers":1025`), "timers is 1025"},
		{"memory", change(`"schema":0`, `"schema":0,"memory_bytes":99999999`), "memory_bytes"},
		{"large", `{"description":"` + strings.Repeat("x", MaxManifest) + `"}`, "limit"},
	} {
		if _, err := ParseManifest([]byte(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func withState(keys string) string {
	return strings.Replace(goodManifest, `"schema"`, `"state":[`+keys+`],"schema"`, 1)
}

func TestManifestOfMinor1(t *testing.T) {
	const in = `{"name":"show","version":"1.0.0","abi":1,"events":["message","signal"],` +
		`"views":["doors",{"rows":"objects","kind":"ball"},{"rows":"objects","kind":"$toy"},{"rows":"users","zone":"$stage"},{"rows":"poses","zone":"stage","hz":10}],` +
		`"commands":["score","signal"],"schema":2,` +
		`"state":[{"key":"wins","scope":"region","merge":"sum"},{"key":"p-*","scope":"user"}],"topics":["quiz"],"fuel":6000000,"state_bytes":1000,"timers":4}`
	m, err := ParseManifest([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != in {
		t.Errorf("marshalled as\n%s, want\n%s", out, in)
	}
	if v := m.ViewMask(); v != 1<<RowDoor|1<<RowObject|1<<RowUser|1<<RowPose {
		t.Errorf("view mask %b", v)
	}
	if m.PoseHz() != 10 {
		t.Errorf("poses at %d Hz", m.PoseHz())
	}
	if !m.TakesTopic("quiz") || m.TakesTopic("chat") {
		t.Error("topics")
	}
	for _, c := range []struct {
		scope Scope
		key   string
		want  bool
		op    MergeOp
	}{
		{ScopeRegion, "wins", true, MergeSum}, {ScopeUser, "wins", false, ""}, {ScopeUser, "p-", true, ""},
		{ScopeUser, "p-x", true, ""}, {ScopeRegion, "win", false, ""}, {ScopeRegion, "winsome", false, ""}, {9, "wins", false, ""},
	} {
		if k, ok := m.StateKey(c.scope, c.key); ok != c.want || k.Merge != c.op {
			t.Errorf("StateKey(%s, %q) = %+v, %v", c.scope, c.key, k, ok)
		}
	}
	settings := []Setting{{Name: "stage", Type: SettingText, Text: "podium"}, {Name: "toy", Type: SettingInt, Value: 4}}
	if v, err := m.Views[3].Resolve(settings); err != nil || v.Zone != "podium" {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := m.Views[4].Resolve(settings); err != nil || v != m.Views[4] {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := m.Views[2].Resolve(settings); err == nil || !strings.Contains(err.Error(), `"toy", which is not a text`) {
		t.Error(err)
	}
	if _, err := m.Views[3].Resolve(nil); err == nil || !strings.Contains(err.Error(), `"stage", which the rule does not have`) {
		t.Error(err)
	}
}

// Without the lists of minor version 1 everything is allowed, as it was.
func TestManifestWithoutLists(t *testing.T) {
	m, err := ParseManifest([]byte(strings.Replace(goodManifest, `["grab"`, `["message"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.StateKey(ScopeUser, "anything"); !ok || !m.TakesTopic("anything") || m.PoseHz() != 0 {
		t.Error("a manifest without lists takes less than all")
	}
	m, err = ParseManifest([]byte(withState("")))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := m.StateKey(ScopeUser, "anything"); ok {
		t.Error("an empty state list admits a key")
	}
}

func TestVersions(t *testing.T) {
	for v, want := range map[string]bool{
		"1.2.3": true, "0.0.0": true, "1.0.0-rc.1": true, "1.0.0+b.5": true, "1.0.0-a+b": true,
		"1.2": false, "1.2.3.4": false, "01.2.3": false, "v1.2.3": false, "1.2.3-": false, "1.2.3-01": false, "": false, "1.-2.3": false,
	} {
		if validVersion(v) != want {
			t.Errorf("validVersion(%q) = %v", v, !want)
		}
	}
}

func TestCustomSection(t *testing.T) {
	m := AppendCustomSection([]byte(ModuleHeader), "other", []byte("x"))
	if _, err := CustomSection(m, ManifestSection); !errors.Is(err, ErrNoSection) {
		t.Errorf("%v, want ErrNoSection", err)
	}
	long := bytes.Repeat([]byte("y"), 300)
	m = AppendCustomSection(m, ManifestSection, long)
	got, err := CustomSection(m, ManifestSection)
	if err != nil || !bytes.Equal(got, long) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := CustomSection(AppendCustomSection(m, ManifestSection, nil), ManifestSection); err == nil || !strings.Contains(err.Error(), "two") {
		t.Errorf("doubled section: %v", err)
	}
	for n := range len(m) {
		if n == len(ModuleHeader) || n == len(ModuleHeader)+9 {
			continue // between sections: a whole, shorter module
		}
		if _, err := Sections(m[:n]); err == nil {
			t.Errorf("cut at %d: no error", n)
		}
	}
}

func FuzzSections(f *testing.F) {
	f.Add(AppendCustomSection([]byte(ModuleHeader), ManifestSection, []byte(goodManifest)))
	f.Add([]byte(ModuleHeader + "\x00\xff\xff\xff\xff\x0f"))
	f.Add([]byte(ModuleHeader + "\x01\x04\x01\x60\x00\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		sections, err := Sections(in)
		if err != nil {
			return
		}
		again := []byte(ModuleHeader)
		for _, s := range sections {
			again = append(again, s.Raw...)
		}
		if !bytes.Equal(again, in) {
			t.Fatal("the sections do not make up the module")
		}
	})
}

func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(goodManifest))
	f.Add([]byte(`{"name":1}`))
	f.Add([]byte(withState(`{"key":"wins","scope":"region","merge":"sum"}`)))
	f.Add([]byte(strings.Replace(goodManifest, `"zones"`, `{"rows":"poses","hz":10,"zone":"$stage"}`, 1)))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := ParseManifest(in)
		if err != nil {
			return
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseManifest(b); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
	})
}
