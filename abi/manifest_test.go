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
		{"memory", change(`"schema":0`, `"schema":0,"memory_bytes":99999999`), "memory_bytes"},
		{"large", `{"description":"` + strings.Repeat("x", MaxManifest) + `"}`, "limit"},
	} {
		if _, err := ParseManifest([]byte(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
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
