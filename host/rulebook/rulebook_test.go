package rulebook

import (
	"bytes"
	"crypto/ed25519"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module/wasmtest"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
)

// TestActivate: one region at first, then all, and back; a restart keeps what was assigned.
func TestActivate(t *testing.T) {
	w := start(t)
	file := store.Digest(shipped(t, "grab"))
	if w.runs(west, "hands") != file || w.runs(east, "hands") != file {
		t.Fatal("the regions do not begin with the file's module")
	}
	v2 := w.upload("hands", version(t, "grab", "2.0.0"))
	v3 := w.upload("hands", version(t, "grab", "3.0.0"))

	got := w.activate(Want{Rule: "hands", Version: "2.0.0", Regions: []string{east}})
	if len(got) != 1 || got[0].Region != east || !got[0].Changed || got[0].Tick == 0 || got[0].Module.Version != "2.0.0" || got[0].Module.Digest != v2 {
		t.Errorf("the east did %+v", got)
	}
	check := func(what, wantWest, wantEast string) {
		t.Helper()
		if a, b := w.runs(west, "hands"), w.runs(east, "hands"); a != wantWest || b != wantEast {
			t.Fatalf("%s: the west runs %.12s, the east %.12s; want %.12s, %.12s", what, a, b, wantWest, wantEast)
		}
	}
	check("canary", file, v2)
	w.restart()
	check("canary after a restart", file, v2)
	w.activate(Want{Rule: "hands", Digest: v3})
	check("all", v3, v3)
	results, err := w.book.Rollback(ctx, Want{Rule: "hands"})
	w.ok(err)
	check("rolled back", file, v2)
	if len(results) != 2 || results[0].Module.Version != "1.0.0" || results[1].Module.Version != "2.0.0" {
		t.Errorf("rolling back did %+v", results)
	}
	w.restart()
	check("rolled back, after a restart", file, v2)
	_, err = w.book.Rollback(ctx, Want{Rule: "hands", Regions: []string{west}})
	w.ok(err)
	check("forward again", v3, v2)
	_, err = w.book.Reload(ctx, Caller{}, "hands")
	w.ok(err)
	check("the file's again", file, file)
	again := w.activate(Want{Rule: "hands", Digest: v3, Regions: []string{west}})
	again = append(again, w.activate(Want{Rule: "hands", Digest: v3, Regions: []string{west}})...)
	if !again[0].Changed || again[1].Changed {
		t.Errorf("the same version twice: %+v", again)
	}
	for _, a := range w.book.Assigned() {
		last := a.History[len(a.History)-1]
		if a.Rule != "hands" || last.By != Admin || last.Tick == 0 || last.To.Plugin != "grab" || last.From.Digest == "" {
			t.Errorf("the history of %s ends with %+v", a.Region, last)
		}
	}
	if p := w.book.Problems(); p != nil {
		t.Errorf("problems: %q", p)
	}
}

// TestUploadRefuses: what is wrong with a module or a call of Upload is said, and nothing is kept.
func TestUploadRefuses(t *testing.T) {
	w := start(t, func(w *world) { w.keys = []Key{{Name: "ann", Rules: []string{"quiz"}, Activate: true}} })
	grab := shipped(t, "grab")
	unpacked := func(manifest string) []byte {
		var out []byte
		sections, err := abi.Sections(grab)
		w.ok(err)
		out = append(out, abi.ModuleHeader...)
		for _, s := range sections {
			if s.ID != 0 {
				out = append(out, s.Raw...)
			}
		}
		if manifest == "" {
			return out
		}
		return abi.AppendCustomSection(out, abi.ManifestSection, []byte(manifest))
	}
	for name, c := range map[string]struct {
		u    Upload
		code Code
		says string
	}{
		"path in the name": {Upload{Name: "../../etc/passwd", Module: grab}, BadRequest, "is not a name"},
		"no name":          {Upload{Module: grab}, BadRequest, "is not a name"},
		"too large":        {Upload{Name: "hands", Module: make([]byte, abi.MaxModule+1)}, TooLarge, "8388608"},
		"not wasm":         {Upload{Name: "hands", Module: []byte("#!/bin/sh\n")}, Refused, "not a WebAssembly module"},
		"empty":            {Upload{Name: "hands"}, Refused, "not a WebAssembly module"},
		"truncated":        {Upload{Name: "hands", Module: grab[:len(grab)/2]}, Refused, ""},
		"no manifest":      {Upload{Name: "hands", Module: unpacked("")}, Refused, "manifest"},
		"unknown key":      {Upload{Name: "hands", Module: unpacked(`{"name":"grab","version":"1.0.0","abi":1,"events":["grab"],"commands":[],"schema":0,"color":"red"}`)}, Refused, "color"},
		"wrong abi":        {Upload{Name: "hands", Module: unpacked(`{"name":"grab","version":"1.0.0","abi":2,"events":["grab"],"commands":[],"schema":0}`)}, Refused, "abi"},
		"unknown import":   {Upload{Name: "hands", Module: bytes.ReplaceAll(grab, []byte("venued1"), []byte("venuedX"))}, Refused, "venuedX"},
		"not allowed":      {Upload{Name: "gong", Module: variant(t, "bell", func(m *abi.Manifest) { m.Commands = append(m.Commands, "teleport") })}, Refused, "teleport"},
		"another's name":   {Upload{Name: "hands", Module: grab, By: Caller{Key: "ann"}}, Forbidden, `may not touch "hands"`},
		"unknown key's":    {Upload{Name: "quiz", Module: grab, By: Caller{Key: "ben"}}, Forbidden, "no rule key ben"},
	} {
		_, err := w.book.Upload(ctx, c.u)
		if r, ok := err.(*Refusal); !ok || r.Code != c.code || !strings.Contains(r.Message, c.says) {
			t.Errorf("%s: %v; want %s with %q", name, err, c.code, c.says)
		} else if c.code == Refused && name != "not allowed" && len(r.Problems) == 0 {
			t.Errorf("%s: no problems are listed", name)
		}
	}
	if names, err := w.book.Names(ctx); err != nil || len(names) != 0 {
		t.Errorf("something was kept: %+v, %v", names, err)
	}
}

// TestVersions: a number names one module, a name has one owner, and what is in use stays.
func TestVersions(t *testing.T) {
	w := start(t, func(w *world) { w.keys = []Key{{Name: "ann", Rules: []string{"hands", "quiz"}, Activate: true}} })
	one := version(t, "grab", "1.1.0")
	d1 := w.upload("hands", one)
	if up, err := w.book.Upload(ctx, Upload{Name: "hands", Module: one}); err != nil || up.Fresh {
		t.Errorf("the same module again: %+v, %v", up, err)
	}
	other := variant(t, "grab", func(m *abi.Manifest) { m.Version, m.Description = "1.1.0", "another" })
	_, err := w.book.Upload(ctx, Upload{Name: "hands", Module: other})
	w.refused(err, Conflict, "1.1.0", "another version")
	_, err = w.book.Upload(ctx, Upload{Name: "hands", Module: version(t, "grab", "1.2.0"), By: Caller{Key: "ann"}})
	w.refused(err, Forbidden, "belongs to admin")
	_, err = w.book.Upload(ctx, Upload{Name: "quiz", Module: one, By: Caller{Key: "ann"}})
	w.ok(err)
	_, err = w.book.Upload(ctx, Upload{Name: "quiz", Module: version(t, "grab", "1.2.0")})
	w.refused(err, Forbidden, "belongs to ann")
	// Development versions are replaced; what a region runs is not forgotten with that.
	dev := w.upload("hands", variant(t, "grab", func(m *abi.Manifest) { m.Version, m.Description = "2.0.0-dev", "a" }))
	w.activate(Want{Rule: "hands", Version: "2.0.0-dev", Regions: []string{west}})
	w.upload("hands", variant(t, "grab", func(m *abi.Manifest) { m.Version, m.Description = "2.0.0-dev", "b" }))
	w.restart()
	if w.runs(west, "hands") != dev {
		t.Error("a replaced development version is gone while a region runs it")
	}
	_, err = w.book.Activate(ctx, Want{Rule: "hands", Digest: dev})
	w.refused(err, NotFound, "there are 2.0.0-dev", "1.1.0")

	w.activate(Want{Rule: "hands", Digest: d1})
	_, err = w.book.Delete(ctx, Caller{}, "hands", d1)
	w.refused(err, Conflict, west)
	w.activate(Want{Rule: "hands", Version: "2.0.0-dev"})
	_, err = w.book.Delete(ctx, Caller{}, "hands", d1)
	w.refused(err, Conflict, "go back to it")
	_, err = w.book.Reload(ctx, Caller{}, "hands")
	w.ok(err)
	v, err := w.book.Delete(ctx, Caller{}, "hands", d1)
	w.ok(err)
	if v.Version != "1.1.0" {
		t.Errorf("deleted %+v", v)
	}
	_, err = w.book.Delete(ctx, Caller{}, "hands", d1)
	w.refused(err, NotFound, "no such version")
	_, err = w.book.Download(ctx, Caller{Key: "ann"}, "quiz", d1)
	w.ok(err) // the other name still has it
}

// TestSignatures: whose a module is, its signature says.
func TestSignatures(t *testing.T) {
	ann, annKey := newKey(t, "ann", "quiz")
	ben, benKey := newKey(t, "ben", "quiz", "hands")
	w := start(t, func(w *world) { w.keys, w.sign = []Key{ann, ben}, true })
	module := version(t, "grab", "1.1.0")
	sign := func(key ed25519.PrivateKey, what []byte) []byte {
		return ed25519.Sign(key, SignedText(store.Digest(what)))
	}
	for name, c := range map[string]struct {
		u    Upload
		code Code
		says []string
	}{
		"none":             {Upload{Name: "quiz", Module: module}, Forbidden, []string{"not signed", "ann (" + ann.ID() + ")"}},
		"no key":           {Upload{Name: "quiz", Module: module, Signature: sign(annKey, module)}, BadRequest, []string{"belong together"}},
		"unknown key":      {Upload{Name: "quiz", Module: module, Signature: sign(annKey, module), KeyID: "0123456789abcdef"}, Forbidden, []string{"0123456789abcdef"}},
		"of another file":  {Upload{Name: "quiz", Module: module, Signature: sign(annKey, []byte("other")), KeyID: ann.ID()}, Forbidden, []string{ann.ID(), "ann", store.Digest(module)}},
		"by another key":   {Upload{Name: "quiz", Module: module, Signature: sign(benKey, module), KeyID: ann.ID()}, Forbidden, []string{ann.ID()}},
		"cut":              {Upload{Name: "quiz", Module: module, Signature: sign(annKey, module)[:20], KeyID: ann.ID()}, Forbidden, []string{ann.ID()}},
		"another's token":  {Upload{Name: "quiz", Module: module, Signature: sign(annKey, module), KeyID: ann.ID(), By: Caller{Key: "ben"}}, Forbidden, []string{"signed by ann", "ben's"}},
		"not ann's to use": {Upload{Name: "hands", Module: module, Signature: sign(annKey, module), KeyID: ann.ID()}, Forbidden, []string{`may not touch "hands"`}},
	} {
		_, err := w.book.Upload(ctx, c.u)
		t.Run(name, func(t *testing.T) {
			w := *w
			w.t = t
			w.refused(err, c.code, c.says...)
		})
	}
	// An admin may carry what ann signed: it is hers.
	up, err := w.book.Upload(ctx, Upload{Name: "quiz", Module: module, Signature: sign(annKey, module), KeyID: ann.ID()})
	w.ok(err)
	if up.Version.By != "ann" || up.Version.Key != ann.ID() {
		t.Errorf("the version is %+v", up.Version)
	}
	next := version(t, "grab", "1.2.0")
	_, err = w.book.Upload(ctx, Upload{Name: "quiz", Module: next, Signature: sign(benKey, next), KeyID: ben.ID(), By: Caller{Key: "ben"}})
	w.refused(err, Forbidden, "belongs to ann")
	// Nor does ben delete what is hers; she and an admin do.
	_, err = w.book.Delete(ctx, Caller{Key: "ben"}, "quiz", up.Version.Digest)
	w.refused(err, Forbidden, "belongs to ann", "its owner or an admin")
	_, err = w.book.Delete(ctx, Caller{Key: "ann"}, "quiz", up.Version.Digest)
	w.ok(err)
}

// TestApproval: a version that wants more than what runs needs an admin; the refusal lists what is new.
func TestApproval(t *testing.T) {
	w := start(t, func(w *world) {
		w.keys = []Key{{Name: "ann", Rules: []string{"hands"}, Activate: true}, {Name: "ben", Rules: []string{"hands"}}}
	})
	more := variant(t, "grab", func(m *abi.Manifest) {
		m.Version, m.Commands, m.Views = "1.1.0", append(m.Commands, "teleport"), []abi.View{{Rows: "users", Zone: "porch"}}
	})
	up, err := w.book.Upload(ctx, Upload{Name: "hands", Module: more, By: Caller{Key: "ann"}})
	w.ok(err)
	needs := []string{"command teleport", "view users in zone porch"}
	if !slices.Equal(up.Needs, needs) {
		t.Errorf("the upload says that it needs %q, want %q", up.Needs, needs)
	}
	_, err = w.book.Activate(ctx, Want{Rule: "hands", Version: "1.1.0", By: Caller{Key: "ann"}})
	w.refused(err, NeedsApproval, "command teleport, view users in zone porch", "an admin may approve it")
	if r, ok := err.(*Refusal); ok && !slices.Equal(r.Needs, needs) {
		t.Errorf("needs %q", r.Needs)
	}
	_, err = w.book.Activate(ctx, Want{Rule: "hands", Version: "1.1.0", By: Caller{Key: "ann"}, Approve: true})
	w.refused(err, Forbidden, "admin's token")
	_, err = w.book.Activate(ctx, Want{Rule: "hands", Version: "1.1.0", By: Caller{Key: "ben"}})
	w.refused(err, Forbidden, "may upload, but not change")
	_, err = w.book.Activate(ctx, Want{Rule: "gong", Version: "1.1.0", By: Caller{Key: "ann"}})
	w.refused(err, Forbidden, `may not touch "gong"`)
	for _, c := range []struct {
		want Want
		code Code
		says string
	}{
		{Want{Rule: "hands"}, BadRequest, "either the digest or the version"},
		{Want{Rule: "hands", Version: "1.1.0", Digest: store.Digest(more)}, BadRequest, "either the digest or the version"},
		{Want{Rule: "stage", Version: "1.1.0"}, NotFound, "its rules are hands, gong"},
		{Want{Rule: "hands", Version: "1.1.0", Regions: []string{"north"}}, NotFound, "its regions are ground-0, ground-1"},
		{Want{Rule: "hands", Version: "9.0.0"}, NotFound, "there are 1.1.0"},
		{Want{Rule: "hands", From: "quiz", Version: "1.1.0"}, NotFound, "nothing was uploaded under the name"},
		{Want{Rule: "gong", From: "hands", Version: "1.1.0", Approve: true}, Refused, "teleport"}, // the file's allow is above approval
	} {
		_, err := w.book.Activate(ctx, c.want)
		w.refused(err, c.code, c.says)
	}
	if w.runs(west, "hands") != store.Digest(shipped(t, "grab")) {
		t.Error("a refused activation changed what runs")
	}
	_, err = w.book.Rollback(ctx, Want{Rule: "hands"})
	w.refused(err, Conflict, "nothing to go back to")
}

// TestReturnsAreChecked: going back is no way around approval, nor around what another rule decides by now.
func TestReturnsAreChecked(t *testing.T) {
	ann := Caller{Key: "ann"}
	w := start(t, func(w *world) {
		w.keys = []Key{{Name: "ann", Rules: []string{"hands"}, Activate: true}}
		w.manifest = strings.Replace(manifest, `plugin = "bell"`, `plugin = "gong.wasm"`, 1)
		w.file = variant(t, "bell", func(m *abi.Manifest) {})
	})
	file := store.Digest(shipped(t, "grab"))
	more := w.upload("hands", variant(t, "grab", func(m *abi.Manifest) {
		m.Version, m.Commands = "1.1.0", append(m.Commands, "teleport")
	}))
	less := w.upload("hands", version(t, "grab", "1.2.0"))
	w.activate(Want{Rule: "hands", Digest: more, Approve: true})
	w.activate(Want{Rule: "hands", Digest: less}) // the admin takes it away
	_, err := w.book.Rollback(ctx, Want{Rule: "hands", By: ann})
	w.refused(err, NeedsApproval, "command teleport", "an admin may go back to it")
	if r, ok := err.(*Refusal); ok && !slices.Equal(r.Needs, []string{"command teleport"}) {
		t.Errorf("needs %q", r.Needs)
	}
	_, err = w.book.Rollback(ctx, Want{Rule: "hands", By: ann, Approve: true})
	w.refused(err, Forbidden, "admin's token")
	if got := w.runs(west, "hands"); got != less {
		t.Errorf("the west runs %.12s, want %.12s", got, less)
	}
	_, err = w.book.Rollback(ctx, Want{Rule: "hands"})
	w.ok(err)
	if got := w.runs(west, "hands"); got != more {
		t.Errorf("rolled back by an admin, the west runs %.12s, want %.12s", got, more)
	}
	_, err = w.book.Rollback(ctx, Want{Rule: "hands", By: ann}) // to less
	w.ok(err)
	_, err = w.book.Reload(ctx, ann, "hands")
	w.ok(err)
	if got := w.runs(west, "hands"); got != file {
		t.Errorf("the west runs %.12s, want the file's", got)
	}

	hears := func(plugin, number string, topics ...string) []byte {
		return variant(t, plugin, func(m *abi.Manifest) {
			m.Version, m.Events, m.Topics = number, append(m.Events, "message"), topics
		})
	}
	quiz := w.upload("hands", hears("grab", "2.0.0", "quiz"))
	w.activate(Want{Rule: "hands", Digest: quiz})
	w.activate(Want{Rule: "hands", Digest: less})
	w.activate(Want{Rule: "gong", Digest: w.upload("gong", hears("bell", "2.0.0", "quiz")), Approve: true})
	_, err = w.book.Rollback(ctx, Want{Rule: "hands"})
	w.refused(err, Conflict, `both take messages of topic "quiz"`)
	if got := w.runs(west, "hands"); got != less {
		t.Errorf("the west runs %.12s, want %.12s", got, less)
	}
	w.activate(Want{Rule: "gong", Digest: w.upload("gong", version(t, "bell", "2.1.0"))})
	w.activate(Want{Rule: "hands", Digest: w.upload("hands", hears("grab", "2.1.0", "quiz"))})
	w.ok(os.WriteFile(filepath.Join(w.dir, "gong.wasm"), hears("bell", "1.2.0", "quiz"), 0o600))
	_, err = w.book.Reload(ctx, Caller{}, "gong")
	w.refused(err, Conflict, `both take messages of topic "quiz"`)
	w.ok(os.WriteFile(filepath.Join(w.dir, "gong.wasm"), version(t, "bell", "1.3.0"), 0o600))
	_, err = w.book.Reload(ctx, Caller{}, "gong")
	w.ok(err)
}

// TestConflicts: two rules never decide the same, whatever was uploaded.
func TestConflicts(t *testing.T) {
	w := start(t, func(w *world) {
		w.manifest = strings.Replace(manifest, `kinds = ["gong"]`, `kinds = ["gong"]
topics = ["gong"]`, 1)
		w.manifest = strings.Replace(w.manifest, `plugin = "bell"`, `plugin = "gong.wasm"`, 1)
		w.file = variant(t, "bell", func(m *abi.Manifest) { m.Events = append(m.Events, "message") })
	})
	w.upload("hands", variant(t, "grab", func(m *abi.Manifest) {
		m.Version, m.Events, m.Topics = "1.1.0", append(m.Events, "message"), []string{"gong"}
	}))
	_, err := w.book.Activate(ctx, Want{Rule: "hands", Version: "1.1.0"})
	w.refused(err, Conflict, `both take messages of topic "gong"`)
	w.upload("hands", variant(t, "grab", func(m *abi.Manifest) {
		m.Version, m.Events, m.Topics = "1.2.0", append(m.Events, "message"), []string{"quiz"}
	}))
	w.activate(Want{Rule: "hands", Version: "1.2.0"})
	if p := CheckFile(w.venue); p != nil {
		t.Errorf("the file's modules: %v", p)
	}
	w.venue.Rules[0].Topics, w.venue.Rules[1].Allow = []string{"gong"}, []string{"deny"}
	if text := CheckFile(w.venue).Error(); !strings.Contains(text, "takes no messages") || !strings.Contains(text, "set_state, emit") {
		t.Errorf("the file's modules: %s", text)
	}
}

// TestMissingModule: a module that the store lost, or has damaged, is replaced by the file's at the next start, loudly; the same upload
// again mends it.
func TestMissingModule(t *testing.T) {
	w := start(t)
	module := version(t, "grab", "2.0.0")
	digest := w.upload("hands", module)
	w.activate(Want{Rule: "hands", Digest: digest, Regions: []string{west}})
	w.damage()
	w.restart()
	file := store.Digest(shipped(t, "grab"))
	if got := w.runs(west, "hands"); got != file {
		t.Fatalf("the west runs %.12s, want the file's", got)
	}
	problems := w.book.Problems()
	if len(problems) != 1 || !strings.Contains(problems[0], "rule hands in region "+west) || !strings.Contains(problems[0], digest[:12]) || !strings.Contains(problems[0], "checksum") {
		t.Errorf("problems: %q", problems)
	}
	if _, err := w.book.Upload(ctx, Upload{Name: "hands", Module: module}); err != nil {
		t.Fatal(err)
	}
	w.activate(Want{Rule: "hands", Digest: digest, Regions: []string{west}})
	if got := w.runs(west, "hands"); got != digest || w.book.Problems() != nil {
		t.Errorf("the west runs %.12s, problems %q", got, w.book.Problems())
	}
	_, err := w.book.Rollback(ctx, Want{Rule: "hands", Regions: []string{west}})
	w.ok(err)
	if got := w.runs(west, "hands"); got != file {
		t.Errorf("rolled back, the west runs %.12s, want the file's, which ran before", got)
	}
}

// TestOtherProcess: a book of another process that was there before starts regions with what was activated since, notes their returns as
// its own would be, and writes over nothing.
func TestOtherProcess(t *testing.T) {
	w := start(t)
	file := store.Digest(shipped(t, "grab"))
	other, stop := w.another()
	defer stop()
	startsWith := func(want string) {
		t.Helper()
		list, err := other.Rules(1)
		w.ok(err)
		if got := list[0].Digest(); got != want {
			t.Errorf("the other process starts the east with %.12s, want %.12s", got, want)
		}
		for _, r := range list {
			r.(*instance).Close()
		}
	}
	startsWith(file)
	v1 := w.upload("hands", version(t, "grab", "1.1.0"))
	v2 := w.upload("hands", version(t, "grab", "1.2.0"))
	w.activate(Want{Rule: "hands", Digest: v1})
	startsWith(v1)
	w.activate(Want{Rule: "hands", Digest: v2})
	ref := func(d string) scene.Module { return scene.Module{Name: "grab", Version: "?", Digest: d} }
	w.ok(other.noteReturn(returned{region: 1, SwapEvent: scene.SwapEvent{Rule: "hands", Tick: 9, From: ref(v2), To: ref(v1), Reason: "it failed", Returned: true}}))
	startsWith(v1)
	w.ok(w.book.refresh(ctx))
	for _, a := range w.book.Assigned() {
		want := v2
		if a.Region == east {
			want = v1
		}
		if a.Current != want || len(a.History) < 2 {
			t.Errorf("%s is assigned %.12s with %d changes, want %.12s", a.Region, a.Current, len(a.History), want)
		}
	}
	v3 := w.upload("hands", version(t, "grab", "1.3.0"))
	_, err := other.Activate(ctx, Want{Rule: "hands", Digest: v3})
	w.ok(err)
	_, err = w.book.Rollback(ctx, Want{Rule: "hands"})
	w.ok(err)
	startsWith(v1)
}

// TestReturns: what is assigned follows a region that went back by itself, whatever was activated before and since.
func TestReturns(t *testing.T) {
	w := start(t)
	ref := func(d string) scene.Module { return scene.Module{Name: "grab", Version: "?", Digest: d} }
	file := store.Digest(shipped(t, "grab"))
	v1 := w.upload("hands", version(t, "grab", "1.1.0"))
	v2 := w.upload("hands", version(t, "grab", "1.2.0"))
	v3 := w.upload("hands", version(t, "grab", "1.3.0"))
	of := func(region string) Assigned {
		t.Helper()
		for _, a := range w.book.Assigned() {
			if a.Region == region {
				return a
			}
		}
		t.Fatal("nothing is assigned")
		return Assigned{}
	}
	back := func(region int, from, to string) {
		t.Helper()
		before := len(of(w.venue.Regions[region].Name).History)
		w.book.Swapped(region, scene.SwapEvent{Rule: "hands", Tick: 77, From: ref(from), To: ref(to), Reason: "it failed", Returned: true})
		w.until("the return to be noted", func() bool { return len(of(w.venue.Regions[region].Name).History) > before })
		a := of(w.venue.Regions[region].Name)
		if c := a.History[len(a.History)-1]; !c.Returned || c.By != "region" || c.Reason != "it failed" || c.Tick != 77 {
			t.Errorf("the return is kept as %+v", c)
		}
	}
	assigned := func(region, current, previous string) {
		t.Helper()
		if a := of(region); a.Current != current || a.Previous != previous {
			t.Fatalf("%s is assigned %.12q, before that %.12q; want %.12q, %.12q", region, a.Current, a.Previous, current, previous)
		}
	}
	w.activate(Want{Rule: "hands", Digest: v1, Regions: []string{west}})
	back(0, v1, file)
	assigned(west, "", "") // there is nothing to go back to
	w.activate(Want{Rule: "hands", Digest: v1, Regions: []string{east}})
	w.activate(Want{Rule: "hands", Digest: v2, Regions: []string{east}})
	back(1, v2, v1)
	assigned(east, v1, "")
	w.restart()
	if got := w.runs(east, "hands"); got != v1 {
		t.Errorf("after a restart the east runs %.12s, want the one it went back to", got)
	}
	// The return is noted after another module was activated: that one stays, and is not rolled back to the faulty one.
	w.activate(Want{Rule: "hands", Digest: v2, Regions: []string{east}})
	w.activate(Want{Rule: "hands", Digest: v3, Regions: []string{east}})
	back(1, v2, v1)
	assigned(east, v3, v1)
}

// migrating is a plugin whose state has schema 7, and that takes over any other.
func migrating() []byte {
	i32, i64 := wasmtest.I32, wasmtest.I64
	return (&wasmtest.Module{
		Memory: &wasmtest.Range{Min: 8, Max: 8},
		Funcs: []wasmtest.Func{
			{Export: "venued_alloc", Params: i32, Results: i32, Body: wasmtest.ConstI32(4096)},
			{Export: "venued_init", Params: i32 + i32, Results: i32, Body: wasmtest.ConstI32(0)},
			{Export: "venued_tick", Params: i32 + i32, Results: i64, Body: wasmtest.ConstI64(0)},
			{Export: "venued_migrate", Params: i32, Results: i32, Body: wasmtest.ConstI32(0)},
			{Export: abi.Marker},
		},
		Exports: []wasmtest.Export{{Name: "memory", Kind: 2}},
		Customs: []wasmtest.Custom{{Name: abi.ManifestSection, Content: []byte(
			`{"name":"grab","version":"7.0.0","abi":1,"events":["grab"],"commands":["grant"],"schema":7}`)}},
	}).Encode()
}

// TestLostModuleWithItsStateBehind: when only the lost module could read the region's state, nothing decides for the rule, the host
// starts all the same, and the same upload, activated once more, brings it back.
func TestLostModuleWithItsStateBehind(t *testing.T) {
	w := start(t)
	module := migrating()
	digest := w.upload("hands", module)
	w.activate(Want{Rule: "hands", Digest: digest, Regions: []string{west}})
	w.damage()
	w.restart()
	for _, s := range w.node.Rules() {
		if s.Region == west && s.Rule == "hands" {
			t.Errorf("the west runs %+v", s)
		}
	}
	if p := w.book.Problems(); len(p) != 1 || !strings.Contains(p[0], "nothing decides for this rule") {
		t.Errorf("problems: %q", p)
	}
	w.upload("hands", module)
	w.activate(Want{Rule: "hands", Digest: digest, Regions: []string{west}})
	if got := w.runs(west, "hands"); got != digest {
		t.Errorf("after the upload the west runs %.12s", got)
	}
	w.restart()
	if got := w.runs(west, "hands"); got != digest || w.book.Problems() != nil {
		t.Errorf("the west runs %.12s, problems %q", got, w.book.Problems())
	}
}
