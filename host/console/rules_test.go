package console

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/host/rules/module/wasmtest"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/plugins"
	client "github.com/venued/venued/sdk/go"
)

// grabVersion is the shipped grab plugin under another version.
func grabVersion(t *testing.T, version string) []byte {
	t.Helper()
	wasm, err := plugins.Wasm("grab")
	if err != nil {
		t.Fatal(err)
	}
	manifest := fmt.Sprintf(`{"name":"grab","version":%q,"abi":1,"events":["grab","release","dropped"],"commands":["grant","deny","release"],"schema":0,"memory_bytes":2097152}`, version)
	out, err := abi.Pack(wasm, []byte(manifest), false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// faulty is a plugin that gets through an inspection, and traps when the first event of a batch is a message of the topic "boom".
func faulty(version string) []byte {
	const inputAt, header, data = 4096, abi.HeaderSize, 80
	get := func(op byte, offset uint32) []byte { // of the batch
		return wasmtest.Cat([]byte{0x20, 0, op, 0}, wasmtest.U(uint64(offset)))
	}
	const i32Load, i32Load16U, i32Eq, i32And, i32Add, ifVoid, end = 0x28, 0x2f, 0x46, 0x71, 0x6a, 0x04, 0x0b
	when := func(body ...byte) []byte { return wasmtest.Cat([]byte{ifVoid, 0x40}, body, []byte{end}) }
	tick := wasmtest.Cat(
		get(i32Load, 8), // how many events
		when(wasmtest.Cat(
			get(i32Load16U, header), wasmtest.ConstI32(int32(abi.EventMessage)), []byte{i32Eq},
			when(wasmtest.Cat(
				[]byte{0x20, 0}, get(i32Load, header+data), []byte{i32Add, i32Load, 0, 0},
				wasmtest.ConstI32('b'|'o'<<8|'o'<<16|'m'<<24), []byte{i32Eq}, when(0x00),
			)...),
		)...),
		wasmtest.ConstI64(0),
	)
	return (&wasmtest.Module{
		Memory: &wasmtest.Range{Min: 8, Max: 8},
		Funcs: []wasmtest.Func{
			{Export: "venued_alloc", Params: wasmtest.I32, Results: wasmtest.I32, Body: wasmtest.ConstI32(inputAt)},
			{Export: "venued_init", Params: wasmtest.I32 + wasmtest.I32, Results: wasmtest.I32, Body: wasmtest.ConstI32(0)},
			{Export: "venued_tick", Params: wasmtest.I32 + wasmtest.I32, Results: wasmtest.I64, Body: tick},
			{Export: abi.Marker},
		},
		Exports: []wasmtest.Export{{Name: "memory", Kind: 2}},
		Customs: []wasmtest.Custom{{Name: abi.ManifestSection, Content: []byte(fmt.Sprintf(
			`{"name":"grab","version":%q,"abi":1,"events":["grab","release","message"],"commands":["grant","release"],"schema":0}`, version))}},
	}).Encode()
}

// upload posts a module.
func (r *rig) upload(name string, wasm []byte, headers ...string) *reply {
	r.t.Helper()
	res := r.ask("POST", "/rules/"+name+"/versions", string(wasm), append([]string{"Content-Type: application/wasm"}, headers...)...)
	r.fits("POST", "/rules/{name}/versions", res)
	return res
}

func uploaded(r *rig, res *reply) Uploaded {
	r.t.Helper()
	var u Uploaded
	if err := json.Unmarshal(res.body, &u); err != nil || res.status != http.StatusCreated {
		r.t.Fatalf("%d %s", res.status, res.body)
	}
	return u
}

// TestUploadActivateRollback goes through a version's life.
func TestUploadActivateRollback(t *testing.T) {
	r := newRig(t, options{real: true})
	two, three := grabVersion(t, "2.0.0"), grabVersion(t, "3.0.0")
	u := uploaded(r, r.upload("grab", two))
	if u.Version.Version != "2.0.0" || u.Version.Digest != store.Digest(two) || u.Version.By != "admin" || u.Version.Plugin != "grab" || u.Version.Class != "small" ||
		len(u.Version.Regions) != 0 || len(u.Version.Needs) != 0 || u.Report.SizeBytes != len(two) || u.Report.Functions == 0 || u.Message != "Version 2.0.0 of grab was uploaded." {
		t.Errorf("the upload is %+v", u)
	}
	if res := r.upload("grab", two); res.status != http.StatusOK || !strings.Contains(string(res.body), "this very module already") {
		t.Errorf("once more: %d %s", res.status, res.body)
	}
	uploaded(r, r.upload("grab", three, "Content-Type: application/octet-stream"))

	done := into[Activated](r, r.call("POST", "/rules/{name}/activate", `{"version":"2.0.0","regions":["ground-1"]}`, "grab"))
	if !done.Ok || done.Message != "Rule grab runs version 2.0.0 in region ground-1." || len(done.Regions) != 1 || !done.Regions[0].Changed || *done.Regions[0].Tick == 0 {
		t.Errorf("the activation is %+v", done)
	}
	d := into[RuleDetail](r, r.call("GET", "/rules/{name}", "", "grab"))
	if !d.InVenue || *d.Owner != "admin" || *d.Plugin != "grab" || len(d.Versions) != 2 || d.Versions[0].Version != "3.0.0" || fmt.Sprint(d.Versions[1].Regions) != "[ground-1]" {
		t.Errorf("the rule is %+v", d)
	}
	if a, b := d.Regions[0], d.Regions[1]; a.Source != RuleSourceFile || a.Previous != nil || b.Source != RuleSourceUpload || *b.Previous != "file" || b.Version != "2.0.0" || b.Problem != nil {
		t.Errorf("the regions are %+v", d.Regions)
	}
	done = into[Activated](r, r.call("POST", "/rules/{name}/activate", `{"digest":"`+store.Digest(three)+`","faults":5}`, "grab"))
	if !done.Ok || done.Message != "Rule grab runs version 3.0.0 in 2 regions." {
		t.Errorf("the activation is %+v", done)
	}
	done = into[Activated](r, r.call("POST", "/rules/{name}/rollback", "", "grab"))
	if !done.Ok || *done.Regions[0].Version != "1.0.0" || *done.Regions[1].Version != "2.0.0" {
		t.Errorf("the rollback is %+v", done)
	}
	swaps := into[RuleSwaps](r, r.call("GET", "/rules/{name}/swaps", "", "grab")).Swaps
	if len(swaps) != 5 || swaps[0].By != "admin" || swaps[0].Returned || swaps[0].Tick == nil || swaps[4].To.Version != "2.0.0" || swaps[4].From.Version != "1.0.0" || swaps[4].Reason != "admin activated version 2.0.0" {
		t.Errorf("the swaps are %+v", swaps)
	}
	rules := into[Rules](r, r.call("GET", "/rules", ""))
	if n := rules.Names; len(n) != 1 || n[0].Name != "grab" || n[0].Versions != 2 || *n[0].Newest != "3.0.0" || !n[0].InVenue {
		t.Errorf("the names are %+v", n)
	}
	if res := r.call("GET", "/rules/{name}/versions/{digest}", "", "grab", store.Digest(two)); !bytes.Equal(res.body, two) {
		t.Errorf("the download: %d, %d bytes", res.status, len(res.body))
	}
	if res := r.call("DELETE", "/rules/{name}/versions/{digest}", "", "grab", store.Digest(two)); res.status != 409 || res.fault().Code != FaultCodeConflict {
		t.Errorf("deleting what runs: %d %s", res.status, res.body)
	}
	into[Done](r, r.call("POST", "/rules/{name}/reload", "", "grab"))
	into[Done](r, r.call("POST", "/rules/{name}/reload", "", "grab")) // so that nothing goes back to it either
	into[Activated](r, r.call("POST", "/rules/{name}/activate", `{"version":"3.0.0"}`, "grab"))
	into[Done](r, r.call("DELETE", "/rules/{name}/versions/{digest}", "", "grab", store.Digest(two)))
	if text := fmt.Sprint(r.c.tail.After(0)); !strings.Contains(text, "action=activate") || !strings.Contains(text, "action=upload") {
		t.Error("the log does not say what the operator did")
	}
}

// TestBadUploads: every bad upload and call is refused with its code and a sentence.
func TestBadUploads(t *testing.T) {
	r := newRig(t, options{real: true})
	grab := string(grabVersion(t, "1.1.0"))
	uploaded(r, r.upload("quiz", []byte(grab)))
	wasm := "Content-Type: application/wasm"
	for _, c := range []struct {
		what, method, path, body string
		headers                  []string
		status                   int
		code                     FaultCode
		says                     string
	}{
		{"too large", "POST", "/rules/grab/versions", strings.Repeat("x", abi.MaxModule+1), []string{wasm}, 413, FaultCodeTooLarge, "8388608 bytes"},
		{"no type", "POST", "/rules/grab/versions", grab, []string{"Content-Type: text/plain"}, 415, FaultCodeBadRequest, "application/wasm"},
		{"not wasm", "POST", "/rules/grab/versions", "<html>", []string{wasm}, 422, FaultCodeRefused, "not a WebAssembly module"},
		{"nothing", "POST", "/rules/grab/versions", "", []string{wasm}, 422, FaultCodeRefused, "not a WebAssembly module"},
		{"truncated", "POST", "/rules/grab/versions", grab[:len(grab)-100], []string{wasm}, 422, FaultCodeRefused, ""},
		{"import", "POST", "/rules/grab/versions", strings.ReplaceAll(grab, "venued1", "venuedX"), []string{wasm}, 422, FaultCodeRefused, "venuedX"},
		{"path", "POST", "/rules/..%2F..%2Fetc%2Fpasswd/versions", grab, []string{wasm}, 400, FaultCodeBadRequest, "is not a name of a rule"},
		{"dots", "POST", "/rules/%2e%2e/versions", grab, []string{wasm}, 400, FaultCodeBadRequest, "is not a name of a rule"},
		{"base64", "POST", "/rules/grab/versions", grab, []string{wasm, "X-Venued-Key: 00", "X-Venued-Signature: ???"}, 400, FaultCodeBadRequest, "not base64"},
		{"unknown key", "POST", "/rules/grab/versions", grab, []string{wasm, "X-Venued-Key: 0123456789abcdef", "X-Venued-Signature: AAAA"}, 403, FaultCodeForbidden, "0123456789abcdef"},
		{"taken", "POST", "/rules/quiz/versions", string(faulty("1.1.0")), []string{wasm}, 409, FaultCodeConflict, "another version"},
		{"no rule", "POST", "/rules/quiz/activate", `{"version":"1.1.0"}`, nil, 404, FaultCodeNotFound, "its rules are grab"},
		{"no version", "POST", "/rules/grab/activate", `{"from":"quiz","version":"9.9.9"}`, nil, 404, FaultCodeNotFound, "there are 1.1.0"},
		{"neither", "POST", "/rules/grab/activate", `{}`, nil, 400, FaultCodeBadRequest, "either the digest or the version"},
		{"unknown field", "POST", "/rules/grab/activate", `{"versoin":"1.1.0"}`, nil, 400, FaultCodeBadRequest, "versoin"},
		{"faults", "POST", "/rules/grab/activate", `{"version":"1.1.0","faults":0}`, nil, 400, FaultCodeBadRequest, "1 to 1000"},
		{"region", "POST", "/rules/grab/rollback", `{"regions":["north"]}`, nil, 404, FaultCodeNotFound, "ground-0, ground-1"},
		{"first", "POST", "/rules/grab/rollback", ``, nil, 409, FaultCodeConflict, "nothing to go back to"},
		{"no name", "GET", "/rules/stage", "", nil, 404, FaultCodeNotFound, `no rule "stage"`},
		{"no swaps", "GET", "/rules/stage/swaps", "", nil, 404, FaultCodeNotFound, `no rule "stage"`},
		{"no faults", "GET", "/rules/stage/faults", "", nil, 404, FaultCodeNotFound, `no rule "stage"`},
		{"no log", "GET", "/rules/stage/log", "", nil, 404, FaultCodeNotFound, `no rule "stage"`},
		{"log after", "GET", "/rules/grab/log?after=x", "", nil, 400, FaultCodeBadRequest, `"x"`},
		{"log follow", "GET", "/rules/grab/log?follow=maybe", "", nil, 400, FaultCodeBadRequest, `"maybe"`},
		{"download", "GET", "/rules/quiz/versions/" + strings.Repeat("0", 64), "", nil, 404, FaultCodeNotFound, "no such version"},
		{"delete", "DELETE", "/rules/quiz/versions/%2e%2e%2fx", "", nil, 404, FaultCodeNotFound, "no such version"},
		{"board", "GET", "/boards/No", "", nil, 400, FaultCodeBadRequest, "name of a board"},
		{"top", "GET", "/boards/quiz?top=0", "", nil, 400, FaultCodeBadRequest, "1 to 1000"},
		{"load", "GET", "/boards?load=2", "", nil, 400, FaultCodeBadRequest, "true or false"},
		{"large call", "POST", "/rules/grab/activate", `{"version":"` + strings.Repeat("x", 20<<10) + `"}`, nil, 413, FaultCodeBadRequest, "too large"},
	} {
		res := r.ask(c.method, c.path, c.body, c.headers...)
		if f := res.fault(); res.status != c.status || f.Code != c.code || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s: %d %.300s; want %d %s with %q", c.what, res.status, res.body, c.status, c.code, c.says)
		} else if c.code == FaultCodeRefused && (f.Problems == nil || (*f.Problems)[0].Code == "") {
			t.Errorf("%s: no problems are listed: %s", c.what, res.body)
		}
		r.matches(r.doc.Components.Schemas["Fault"].Value, res.body, c.what)
	}
	// A body whose length nobody stated is measured while it is read.
	q, err := http.NewRequest("POST", r.url+"/admin/api/rules/grab/versions", io.MultiReader(strings.NewReader(strings.Repeat("x", abi.MaxModule)), strings.NewReader("yy")))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+adminToken)
	q.Header.Set("Content-Type", "application/wasm")
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("too large, in chunks: %d", res.StatusCode)
	}
	if names := into[Rules](r, r.call("GET", "/rules", "")).Names; len(names) != 1 {
		t.Errorf("something was kept: %+v", names)
	}
}

// TestFaultyVersionReturns: a version that fails is swapped back by the region, nothing of its state has changed, and admins see why; the
// other region goes on with it.
func TestFaultyVersionReturns(t *testing.T) {
	r := newRig(t, options{real: true})
	uploaded(r, r.upload("grab", faulty("2.0.0")))
	into[Activated](r, r.call("POST", "/rules/{name}/activate", `{"version":"2.0.0"}`, "grab"))
	ann, ben := r.visit("ann", ""), r.visit("ben", "")
	west := func() Rule { return into[Rules](r, r.call("GET", "/rules", "")).Rules[0] }
	for n := 0; west().Version == "2.0.0"; n++ {
		if n == 100 {
			t.Fatalf("after %d rounds of faults the region has not gone back: %+v", n, west())
		}
		// One each a tick: somebody whose events fail many times in one is only kept away from the rule.
		before := r.node.Status()[0].Tick
		for _, c := range []*client.Client{ann, ben} {
			if _, err := c.Message("boom", nil); err != nil {
				t.Fatal(err)
			}
		}
		r.until("a tick", func() bool { return r.node.Status()[0].Tick > before+2 })
	}
	r.until("what is assigned to follow", func() bool { s := west(); return s.Source == RuleSourceFile && s.Previous == nil })
	if s := west(); s.Version != "1.0.0" || s.Quarantined {
		t.Errorf("the west runs %+v", s)
	}
	if s := into[Rules](r, r.call("GET", "/rules", "")).Rules[1]; s.Version != "2.0.0" || s.Source != RuleSourceUpload {
		t.Errorf("the east runs %+v", s)
	}
	swaps := into[RuleSwaps](r, r.call("GET", "/rules/{name}/swaps", "", "grab")).Swaps
	if s := swaps[0]; !s.Returned || s.By != "region" || s.Region != "ground-0" || s.From.Version != "2.0.0" || s.To.Version != "1.0.0" || !strings.Contains(s.Reason, "unreachable") {
		t.Errorf("the return is told as %+v", s)
	}
	faults := into[RuleFaults](r, r.call("GET", "/rules/{name}/faults", "", "grab")).Faults
	if len(faults) < 3 {
		t.Fatalf("%d faults", len(faults))
	}
	for _, f := range faults {
		if f.Before != f.After || f.Before.Hash == "" || f.Kind != string(abi.FaultTrap) || f.Module.Version != "2.0.0" || f.Module.Digest != store.Digest(faulty("2.0.0")) || f.Region != "ground-0" {
			t.Errorf("the fault is told as %+v", f)
		}
	}
	lines := r.ask("GET", "/rules/grab/log?follow=false", "")
	if !strings.Contains(string(lines.body), "rule failed") || !strings.Contains(string(lines.body), "returned") {
		t.Errorf("the rule's log says\n%s", lines.body)
	}
}

// TestRuleKeys: the holder of a rule key may do what the key may, under /rules only.
func TestRuleKeys(t *testing.T) {
	const token, other = "ann's-token-of-good-length", "ben's-token-of-good-length"
	r := newRig(t, options{
		real:   true,
		keys:   []rulebook.Key{{Name: "ann", Rules: []string{"quiz", "grab"}, Activate: true}, {Name: "ben", Rules: []string{"lamp"}}},
		tokens: map[string]string{"ann": token, "ben": other},
	})
	ann, ben := "Authorization: Bearer "+token, "Authorization: Bearer "+other
	u := uploaded(r, r.upload("grab", grabVersion(t, "1.1.0"), ann))
	if u.Version.By != "ann" {
		t.Errorf("the upload is by %s", u.Version.By)
	}
	if res := r.ask("POST", "/rules/grab/activate", `{"version":"1.1.0"}`, ann); res.status != 200 {
		t.Errorf("activating: %d %s", res.status, res.body)
	}
	for _, c := range []struct{ method, path, body, who, says string }{
		{"GET", "/clients", "", ann, "rule key ann may use the operations under /admin/api/rules only"},
		{"GET", "/settings", "", ann, "admin's token"},
		{"GET", "/boards", "", ann, "admin's token"},
		{"POST", "/objects/cube/reset", "", ann, "admin's token"},
		{"POST", "/login", `{"token":"` + token + `"}`, "Authorization: ", "rule key ann"},
		{"POST", "/rules/grab/rollback", "", ben, `may not touch "grab"`},
		{"GET", "/rules/grab/versions/" + u.Version.Digest, "", ben, `may not touch "grab"`},
		{"DELETE", "/rules/grab/versions/" + u.Version.Digest, "", ben, `may not touch "grab"`},
		{"POST", "/rules/grab/activate", `{"version":"1.1.0","approve":true}`, ann, "admin's token"},
	} {
		res := r.ask(c.method, c.path, c.body, c.who)
		if f := res.fault(); res.status != 403 || f.Code != FaultCodeForbidden || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s %s: %d %s; want 403 with %q", c.method, c.path, res.status, res.body, c.says)
		}
	}
	if res := r.upload("grab", grabVersion(t, "1.2.0")); res.status != 403 || !strings.Contains(res.fault().Message, "belongs to ann") {
		t.Errorf("the admin under ann's name: %d %s", res.status, res.body)
	}
	for _, path := range []string{"/rules", "/rules/grab", "/rules/grab/swaps", "/rules/grab/faults", "/rules/grab/log?follow=false"} {
		if res := r.ask("GET", path, "", ben); res.status != 200 {
			t.Errorf("%s: %d %s", path, res.status, res.body)
		}
	}
	swaps := into[RuleSwaps](r, r.call("GET", "/rules/{name}/swaps", "", "grab")).Swaps
	if len(swaps) != 2 || swaps[0].By != "ann" {
		t.Errorf("the swaps are %+v", swaps)
	}
	if text := fmt.Sprint(r.c.tail.After(0)); !strings.Contains(text, `by="rule key ann"`) {
		t.Error("the log does not say who acted")
	}
}

// TestApprovalOverHTTP: what a version wants beyond what runs is listed, and an admin approves it.
func TestApprovalOverHTTP(t *testing.T) {
	r := newRig(t, options{real: true})
	wasm, err := plugins.Wasm("grab")
	if err != nil {
		t.Fatal(err)
	}
	more, err := abi.Pack(wasm, []byte(`{"name":"grab","version":"1.1.0","abi":1,"events":["grab","release","dropped"],"commands":["grant","deny","release","teleport"],"schema":0}`), false)
	if err != nil {
		t.Fatal(err)
	}
	u := uploaded(r, r.upload("grab", more))
	if fmt.Sprint(u.Version.Needs) != "[command teleport]" || !strings.Contains(u.Message, "an admin has to approve: command teleport") {
		t.Errorf("the upload is %+v", u)
	}
	res := r.call("POST", "/rules/{name}/activate", `{"version":"1.1.0"}`, "grab")
	if f := res.fault(); res.status != 409 || f.Code != FaultCodeNeedsApproval || f.Needs == nil || fmt.Sprint(*f.Needs) != "[command teleport]" {
		t.Errorf("without approval: %d %s", res.status, res.body)
	}
	into[Activated](r, r.call("POST", "/rules/{name}/activate", `{"version":"1.1.0","approve":true}`, "grab"))
}

// TestBoards: totals, people's apart from bots'.
func TestBoards(t *testing.T) {
	r := newRig(t, options{})
	l, err := r.db.Acquire(context.Background(), store.RegionKey{Venue: "hall", Region: "elsewhere"})
	if err != nil {
		t.Fatal(err)
	}
	var scores []store.Score
	for i, user := range []string{"ann", "ben", "<b>cy</b>"} {
		scores = append(scores, store.Score{Board: "quiz", User: user, Delta: int64(10 * i)})
	}
	scores = append(scores, store.Score{Board: "quiz", User: "bot", Partition: store.PartitionLoad, Delta: 99})
	if err := r.db.Append(context.Background(), l, []store.Record{{Tick: 1, Scores: scores}}); err != nil {
		t.Fatal(err)
	}
	if list := into[Boards](r, r.call("GET", "/boards", "")).Boards; len(list) != 1 || list[0] != (BoardSummary{Board: "quiz", Users: 3}) {
		t.Errorf("the boards are %+v", list)
	}
	b := into[Board](r, r.call("GET", "/boards/{board}?top=2", "", "quiz"))
	if b.Users != 3 || len(b.Top) != 2 || b.Top[0] != (Total{User: "<b>cy</b>", Points: 20}) || b.Top[1].User != "ben" {
		t.Errorf("the board is %+v", b)
	}
	if b := into[Board](r, r.call("GET", "/boards/{board}?load=true", "", "quiz")); b.Users != 1 || b.Top[0].User != "bot" {
		t.Errorf("the bots' board is %+v", b)
	}
	if b := into[Board](r, r.call("GET", "/boards/{board}", "", "none")); b.Users != 0 || len(b.Top) != 0 {
		t.Errorf("no board is %+v", b)
	}
}

// TestRuleLog: a rule's lines, kept and live, and no others.
func TestRuleLog(t *testing.T) {
	r := newRig(t, options{})
	rule := r.log.With("rule", "grab", "region", 0)
	rule.Info("one")
	r.log.Info("of nobody")
	r.log.Info("of another", "rule", "door")
	r.log.Warn("two", "rule", "grab")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, "GET", r.url+"/admin/api/rules/grab/log", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+adminToken)
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	next := func() LogLine {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				r.matches(r.doc.Components.Schemas["LogLine"].Value, []byte(data), "log")
				var l LogLine
				if err := json.Unmarshal([]byte(data), &l); err != nil {
					t.Fatal(err)
				}
				return l
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return LogLine{}
	}
	for {
		if l := next(); l.Message == "one" {
			break
		}
	}
	two := next()
	if two.Message != "two" || two.Level != "WARN" {
		t.Errorf("the second line is %+v", two)
	}
	rule.Info("three")
	if l := next(); l.Message != "three" || !strings.Contains(l.Fields, "region=0") {
		t.Errorf("the live line is %+v", l)
	}
	later := r.ask("GET", fmt.Sprintf("/rules/grab/log?follow=false&after=%d", two.N), "")
	if text := string(later.body); strings.Count(text, "event: log") != 1 || !strings.Contains(text, "three") {
		t.Errorf("after the second line come\n%s", text)
	}
	for range ruleLines + 10 {
		rule.Info("many")
	}
	if n := len(r.c.tail.AfterOf("grab", 0)); n != ruleLines {
		t.Errorf("%d lines are kept, want %d", n, ruleLines)
	}
}
