package console

import (
	"bytes"
	"strings"
	"testing"

	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/recording/replay"
)

// TestRecordings: an operator starts a recording, stops it, fetches a file that can be played, and deletes it.
func TestRecordings(t *testing.T) {
	r := newRig(t, options{})
	none := into[Recordings](r, r.call("GET", "/recordings", ""))
	if len(none.Recordings) != 0 || len(none.Regions) == 0 || none.Regions[0].Running {
		t.Fatalf("before any recording: %+v", none)
	}
	region := none.Regions[0].Region
	began := r.call("POST", "/regions/{region}/recording/start", `{"seconds":60,"bytes":2000000}`, region)
	if began.status != 201 {
		t.Fatalf("start: %d %s", began.status, began.body)
	}
	running := into[Recordings](r, r.call("GET", "/recordings", ""))
	if len(running.Recordings) != 1 || !running.Recordings[0].Running || !running.Regions[0].Running {
		t.Errorf("while it runs: %+v", running)
	}
	if res := r.call("POST", "/regions/{region}/recording/start", "", region); res.status != 409 || !strings.Contains(res.fault().Message, "already") {
		t.Errorf("a second start: %d %s", res.status, res.body)
	}
	ann := r.visit("ann", "Ann")
	r.cube(ann)
	ended := into[RegionRecording](r, r.call("POST", "/regions/{region}/recording/stop", "", region))
	if ended.Running || ended.Name == nil || *ended.Ticks == 0 || ended.Ended == nil {
		t.Fatalf("stop: %+v", ended)
	}
	file := r.ask("GET", "/recordings/"+*ended.Name, "")
	if file.status != 200 || len(file.body) != int(*ended.Bytes) || !strings.Contains(file.header.Get("Content-Disposition"), *ended.Name) {
		t.Fatalf("fetch: %d, %d bytes of %d", file.status, len(file.body), *ended.Bytes)
	}
	if bytes.Contains(file.body, []byte("Ann")) {
		t.Error("a name is in the file")
	}
	rd, err := recording.NewReader(bytes.NewReader(file.body))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	report, err := replay.Run(t.Context(), rd, replay.Options{})
	if err != nil || !report.Same() || report.Ticks != int(*ended.Ticks) {
		t.Errorf("replay: %+v, %v", report, err)
	}
	into[Done](r, r.call("DELETE", "/recordings/{recording}", "", *ended.Name))
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"DELETE", "/recordings/" + *ended.Name, "", 404, "no such recording"},
		{"GET", "/recordings/..%2Fadmin.token", "", 404, "not the name of a recording"},
		{"GET", "/recordings/nothing.vrec", "", 404, "lists them"},
		{"POST", "/regions/nowhere/recording/start", "", 404, "no region"},
		{"POST", "/regions/" + region + "/recording/stop", "", 409, "has ended"},
		{"POST", "/regions/" + region + "/recording/start", `{"seconds":100000}`, 409, "lasts a second to"},
		{"POST", "/regions/" + region + "/recording/start", `{"seconds":-1}`, 400, "at least 1"},
		{"POST", "/regions/" + region + "/recording/start", `{"bytes":5}`, 409, "1 MiB"},
		{"POST", "/regions/" + region + "/recording/start", `{"colour":"red"}`, 400, "colour"},
	} {
		if res := r.ask(c.method, c.path, c.body); res.status != c.status || !strings.Contains(res.fault().Message, c.want) {
			t.Errorf("%s %s %s: %d %s, want %d %q", c.method, c.path, c.body, res.status, res.body, c.status, c.want)
		}
	}
}
