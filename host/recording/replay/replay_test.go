package replay_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/recording/replay"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
)

// minute records a minute of fifty people.
func minute(t *testing.T) (*world, []byte) {
	t.Helper()
	w := newWorld(t, 50)
	w.play(300)
	w.record(recording.Limits{})
	w.play(900)
	w.swap(0, "grab")
	w.swap(4, "score")
	w.play(900)
	return w, w.stop()
}

func run(t *testing.T, file []byte, o replay.Options) *replay.Report {
	t.Helper()
	rd, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	report, err := replay.Run(t.Context(), rd, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func text(r *replay.Report) string {
	b, _ := json.MarshalIndent(r, "", "  ")
	return string(b)
}

// TestMinuteOfFifty records 60 s of 50 people under the shipped rules, with two swaps, and plays it again: with the modules, and with
// nothing but their recorded answers. Every answer, every write and all effects are the same, to the bit. Nobody's name is in the file.
func TestMinuteOfFifty(t *testing.T) {
	w, file := minute(t)
	t.Logf("%d bytes for a minute", len(file))
	for name, o := range map[string]replay.Options{
		"recorded answers": {},
		"modules": {Decide: func(rule string, m *recording.Module) (scene.Rule, error) {
			for i := range w.venue.Rules {
				if w.venue.Rules[i].Name == rule {
					return w.engine.rule(i, m.Manifest.Name), nil
				}
			}
			return nil, fmt.Errorf("no rule %s", rule)
		}},
		"asked": {Ask: []replay.Asked{{Rule: "greeter", Module: w.engine.rule(3, "greeter")}, {Rule: "grab", Module: w.engine.rule(0, "grab")}}},
	} {
		r := run(t, file, o)
		if !r.Same() || r.EffectsDiffer > 0 || len(r.NotCompared) > 0 {
			t.Errorf("%s: the replay went otherwise:\n%.4000s", name, text(r))
		}
		if r.Ticks != 1800 || r.Calls < 500 || r.Swaps != 2 || r.Ended != "the test is over" || r.ByClock != 0 {
			t.Errorf("%s: played %d ticks, %d calls, %d swaps, %d by the clock, ended %q", name, r.Ticks, r.Calls, r.Swaps, r.ByClock, r.Ended)
		}
	}
	noNames(t, w, file)
}

// noNames looks for everybody's id and name in everything that a recording says.
func noNames(t *testing.T, w *world, file []byte) {
	t.Helper()
	rd, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	h, _ := json.Marshal(rd.Header())
	var all strings.Builder
	all.Write(h)
	for {
		f, err := rd.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Inputs {
			x := &f.Inputs[i]
			all.WriteString(x.User + x.Name + x.Spawn + string(x.Data))
		}
		for i := range f.Calls {
			all.WriteString(string(f.Calls[i].Batch.Bytes) + string(f.Calls[i].Out.Bytes))
			for _, op := range f.Calls[i].Ops {
				all.WriteString(string(op.Key.Bytes) + string(op.Value.Bytes))
			}
		}
		for _, x := range f.Effects.Texts {
			all.Write(x.Bytes)
		}
	}
	for _, v := range w.crowd.people {
		// The plugins say some of the short names themselves.
		secrets := []string{v.user}
		if len(v.name) > 7 || strings.ContainsAny(v.name, "李ë") {
			q, _ := json.Marshal(v.name)
			secrets = append(secrets, v.name, strings.Trim(string(q), `"`))
		}
		for _, s := range secrets {
			if i := strings.Index(all.String(), s); i >= 0 {
				t.Errorf("%q is in the recording: ...%q...", s, all.String()[max(0, i-60):min(all.Len(), i+60)])
			}
		}
	}
}

// generous is the score plugin with other points.
func (w *world) generous() scene.Rule {
	wasm, err := plugins.Wasm("score")
	if err != nil {
		w.t.Fatal(err)
	}
	return w.engine.module(4, wasm, map[string]any{"points_grab": int64(30)})
}

// TestAgainst asks a module that decides otherwise: the differences name the tick, the event and both answers.
func TestAgainst(t *testing.T) {
	w := newWorld(t, 20)
	w.play(100)
	w.record(recording.Limits{})
	w.play(300)
	file := w.stop()
	r := run(t, file, replay.Options{Keep: 1, Ask: []replay.Asked{
		{Rule: "score", Module: w.engine.rule(4, "score")},
		{Rule: "score", Module: w.generous()},
	}})
	if r.Same() || len(r.Differences) != 1 || r.More == 0 || r.EffectsDiffer != 0 {
		t.Fatalf("they decide alike:\n%s", text(r))
	}
	for _, d := range r.Differences {
		if d.Kind != replay.KindAnswer || d.Rule != "score" || d.Tick == 0 || d.Event == "" || len(d.A)+len(d.B) == 0 {
			t.Errorf("a difference is not described: %+v", d)
		}
	}
	if d := r.Differences[0]; !strings.Contains(d.Event, "of token-") || !strings.Contains(d.Event, " by u") {
		t.Errorf("the event is described as %q", d.Event)
	}
	// Another module that decides changes the world too.
	r = run(t, file, replay.Options{Decide: func(rule string, m *recording.Module) (scene.Rule, error) {
		if rule != "score" {
			return nil, nil
		}
		return w.generous(), nil
	}})
	if r.Same() || r.EffectsDiffer == 0 {
		t.Fatalf("another module changed nothing:\n%s", text(r))
	}
}

// TestBadRecordings: what is wrong is said, with how much is whole.
func TestBadRecordings(t *testing.T) {
	w := newWorld(t, 5)
	w.play(100)
	w.record(recording.Limits{})
	w.play(300)
	file := w.stop()
	open := func(b []byte) (*replay.Report, error) {
		rd, err := recording.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		defer rd.Close()
		return replay.Run(t.Context(), rd, replay.Options{})
	}
	report, err := open(file[:len(file)*2/3])
	if !errors.Is(err, recording.ErrCut) || report == nil || !report.Same() || report.Ticks == 0 || report.Ticks >= 300 ||
		!strings.Contains(err.Error(), fmt.Sprintf("%d whole ticks", report.Ticks)) {
		t.Errorf("cut: %v", err)
	}
	bad := bytes.Clone(file)
	bad[len(bad)/2] ^= 1
	if report, err = open(bad); !errors.Is(err, recording.ErrDamaged) || report == nil || !strings.Contains(err.Error(), "whole ticks") {
		t.Errorf("damaged: %v", err)
	}
	bad = bytes.Clone(file)
	bad[4] = 9
	if _, err = open(bad); !errors.Is(err, recording.ErrVersion) || !strings.Contains(err.Error(), "version 9") {
		t.Errorf("version: %v", err)
	}
	for _, b := range [][]byte{nil, []byte("VREC"), []byte(strings.Repeat("what is this? ", 10))} {
		if _, err = open(b); !errors.Is(err, recording.ErrNotRecording) {
			t.Errorf("%q: %v", b, err)
		}
	}
	rd, err := recording.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	other := newWorld(t, 1).venue
	other.ID = "other"
	if _, err := replay.Run(t.Context(), rd, replay.Options{Venue: other}); !errors.Is(err, replay.ErrForeign) || !strings.Contains(err.Error(), "night-gallery") {
		t.Errorf("foreign venue: %v", err)
	}
	changed, err := venues.Read("gallery.toml", []byte(strings.Replace(gallery+things("figurine"), "points_grab = 3", "points_grab = 4", 1)), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay.Run(t.Context(), rd, replay.Options{Venue: changed}); !errors.Is(err, replay.ErrForeign) || !strings.Contains(err.Error(), "has changed since") {
		t.Errorf("changed venue: %v", err)
	}
	_, err = replay.Run(t.Context(), rd, replay.Options{Ask: []replay.Asked{{Rule: "nobody", Module: w.engine.rule(0, "grab")}}})
	if !errors.Is(err, replay.ErrNoRule) || !strings.Contains(err.Error(), "greeter (greeter@") {
		t.Errorf("no rule: %v", err)
	}
}

// TestOtherBuild: what another build sums up in another way is not compared, and the report says what that is.
func TestOtherBuild(t *testing.T) {
	w := newWorld(t, 10)
	w.play(100)
	w.record(recording.Limits{})
	w.play(100)
	rd, err := recording.NewReader(bytes.NewReader(w.stop()))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	h := rd.Header()
	var other []string
	for i := range h.Parts {
		switch h.Parts[i].Name {
		case "entities":
			h.Parts[i].Layout = "00000000"
			other = append(other, "entities")
		case "places":
			h.Parts[i].Name = "spots"
			other = append(other, "places")
		}
	}
	r, err := replay.Run(t.Context(), rd, replay.Options{})
	if err != nil || !r.Same() || strings.Join(r.NotCompared, " ") != strings.Join(other, " ") {
		t.Errorf("%v, not compared %v, want %v:\n%s", err, r.NotCompared, other, text(r))
	}
}

// TestLimits: a recording ends by itself, and what it has by then can be played.
func TestLimits(t *testing.T) {
	w := newWorld(t, 10)
	w.play(50)
	w.record(recording.Limits{Time: 2 * time.Second})
	w.play(150)
	end, err := w.rec.Wait()
	if err != nil || !strings.Contains(end.Reason, "2s") || end.Frames == 0 {
		t.Fatalf("ended with %+v, %v", end, err)
	}
	if r := run(t, w.stop(), replay.Options{}); !r.Same() || r.Ended != end.Reason {
		t.Fatalf("%s", text(r))
	}
}

// TestTracks: poses and deeds by session.
func TestTracks(t *testing.T) {
	w := newWorld(t, 10)
	w.play(200)
	w.record(recording.Limits{})
	w.play(300)
	rd, err := recording.NewReader(bytes.NewReader(w.stop()))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	tracks, err := rd.Tracks()
	if err != nil || len(tracks) < 5 {
		t.Fatalf("%d tracks, %v", len(tracks), err)
	}
	samples, grabs, messages := 0, 0, 0
	for _, track := range tracks {
		if !strings.HasPrefix(track.User, "u") || track.ToUS <= track.FromUS {
			t.Errorf("track of %q from %d to %d", track.User, track.FromUS, track.ToUS)
		}
		samples += len(track.Samples)
		for i := range track.Did {
			d := &track.Did[i]
			if d.Object != "" {
				grabs++
			}
			if d.Topic == "chat" && d.Bytes > 0 {
				messages++
			}
		}
	}
	if samples < 1000 || grabs == 0 || messages == 0 {
		t.Errorf("%d samples, %d deeds with objects, %d messages", samples, grabs, messages)
	}
}
