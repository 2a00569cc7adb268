package loadgen

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

// many is a token whose claims say that it may be used again.
const many = "e30.eyJtYW55Ijp0cnVlfQ.sig"

func TestOptionsAreCheckedAllAtOnce(t *testing.T) {
	err := (&Options{URL: "ftp://x", Users: 0, Duration: -1, Ramp: -1, DropEvery: -1, Lane: "pigeon"}).Check()
	if err == nil {
		t.Fatal("no error")
	}
	for _, field := range []string{"url:", "users:", "duration:", "ramp:", "drop-every:", "lane:"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%s is not in %q", field, err)
		}
	}
	for url, want := range map[string]string{
		"http://h:1":                     "join link",
		"http://h:1/#token=a.e30.c":      "development token",
		"http://h:1/p?x=1#token=" + many: "",
	} {
		err := (&Options{URL: url, Users: 2, Duration: time.Second}).Check()
		if (err == nil) != (want == "") || (err != nil && !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

func TestAnUnreachableVenueIsAnErrorAtOnce(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	url := srv.URL
	o := Options{URL: url, Token: many, Users: 3, Duration: time.Hour}
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a server that is no venue: %v", err)
	}
	srv.Close()
	if _, err := Run(context.Background(), o); err == nil {
		t.Error("a closed port: no error")
	}
}

// A venue that refuses everyone gives a report that says so, and no waiting for the duration.
func TestRefusedJoinsAreReported(t *testing.T) {
	var joins atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/venue", func(w http.ResponseWriter, _ *http.Request) {
		if err := json.NewEncoder(w).Encode(hall()); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("GET /v1/ws", func(w http.ResponseWriter, _ *http.Request) {
		joins.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":4000,"name":"token_invalid","msg":"wrong key"}`)
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	var last Progress
	r, err := Run(context.Background(), Options{
		URL: srv.URL, Token: many, Users: 4, Duration: time.Hour, Ramp: time.Millisecond, Lane: client.LaneWS,
		Progress: func(p Progress) { last = p },
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.OK() || r.Users != 4 || r.Joined != 0 || r.JoinFailed != 4 || joins.Load() != 4 {
		t.Errorf("report %+v after %d requests", r, joins.Load())
	}
	if r.Codes["token_invalid"] != 4 || len(r.JoinErrors) != 1 || !strings.Contains(r.JoinErrors[0], "wrong key") {
		t.Errorf("codes %v, errors %q", r.Codes, r.JoinErrors)
	}
	if last.Failed != 4 || last.Users != 4 {
		t.Errorf("progress %+v", last)
	}
	var text bytes.Buffer
	r.Text(&text)
	if !strings.Contains(text.String(), "0 of 4 joined, 4 failed") {
		t.Errorf("the text says %q", text.String())
	}
}

// The names of the report are a contract.
func TestReportFields(t *testing.T) {
	b, err := json.Marshal(&Report{})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"users", "joined", "join_failed", "pose_age_ms", "update_interval_ms", "lost_ratio",
		"bytes_up_per_s", "bytes_down_per_s", "visible_mean", "grabs", "disconnects", "resumes"} {
		if _, ok := fields[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	for name, inner := range map[string][]string{
		"pose_age_ms": {"p50", "p95", "p99"}, "update_interval_ms": {"p50", "p95", "p99"},
		"grabs": {"requested", "granted", "denied", "double_held"},
	} {
		var sub map[string]json.RawMessage
		if err := json.Unmarshal(fields[name], &sub); err != nil {
			t.Fatal(err)
		}
		for _, k := range inner {
			if _, ok := sub[k]; !ok {
				t.Errorf("%s.%s is missing", name, k)
			}
		}
	}
}

// What a frame says is measured as the package promises.
func TestTallyMeasuresAgeAndInterval(t *testing.T) {
	tl := newTally()
	f := &client.Frame{TickUS: 1_000_000, ReceivedUS: 1_030_000, Visible: 3}
	now := time.Now()
	at := func(d time.Duration) time.Time { return now.Add(d) }
	tl.avatar(1, f, &stream.State{AgeMS: 20}, at(0)) // taken at 980 ms, received at 1030 ms
	tl.frame(f)
	tl.avatar(1, f, &stream.State{AgeMS: 20}, at(40*time.Millisecond))
	tl.avatar(2, f, &stream.State{AgeMS: 255, Flags: stream.FlagAway}, at(0))
	tl.avatar(2, f, &stream.State{AgeMS: 20}, at(3*time.Second)) // back: no interval across the absence
	tl.frame(f)
	r, sum := &Report{Codes: map[string]uint64{}}, newTotal()
	tl.codes[wire.CodeDeniedHeld] = 2
	sum.add(r, &tl, client.Stats{FramesLost: 1, NewSessions: 1, BytesUp: 500, BytesDown: 1000}, 4*time.Millisecond, 10*time.Second)
	sum.finish(r)
	near := func(name string, got, want float64) {
		if got < want*0.98 || got > want*1.02 {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	near("pose age", r.PoseAgeMS.P95, 50)
	near("interval", r.UpdateIntervalMS.P99, 40)
	near("round trip", r.RTTMS.P50, 4)
	near("lost", r.LostRatio, 1.0/3)
	near("visible", r.VisibleMean, 1.5)
	near("entities", r.EntitiesMean, 3)
	near("bytes up", r.BytesUpPerS, 50)
	near("bytes down", r.BytesDownPerS, 100)
	if r.Updates != 3 || r.Codes["denied_held"] != 2 || r.NewSessions != 0 {
		t.Errorf("report %+v", r)
	}
}

// A visitor that the venue corrects goes on from where the venue says.
func TestVisitorsTakeTheVenuesWord(t *testing.T) {
	v := newVisitor(1, 1, plan(t), newObserver())
	v.onWelcome(&wire.Welcome{Entity: 9, P: wire.Point{X: 14 * lattice.Steps, Y: 1700, Z: 24 * lattice.Steps}})
	before := v.pose(33_333).Head.Pos
	to := lattice.Vec{X: 3 * lattice.Steps, Y: 1700, Z: 4 * lattice.Steps}
	for _, e := range []client.Event{
		{Down: wire.Down{T: wire.DownTeleport, Entity: 8, HasP: true, P: wire.Point(to)}}, // somebody else
		{Down: wire.Down{T: wire.DownCorrect}},                                            // no place in it
	} {
		v.onEvent(&e)
	}
	if d := v.pose(66_666).Head.Pos.Dist(before); d > lattice.Steps/4 {
		t.Errorf("moved %d steps by what was not for it", d)
	}
	v.onEvent(&client.Event{Down: wire.Down{T: wire.DownTeleport, Entity: 9, HasP: true, P: wire.Point(to)}})
	got := v.pose(99_999).Head.Pos
	got.Y = to.Y
	if d := got.Dist(to); d > lattice.Steps/4 {
		t.Errorf("after a teleport it is %d steps from where it was put", d)
	}
}
