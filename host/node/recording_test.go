package node

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/recording/replay"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
)

func withRecordings(t *testing.T, dir string) (options, *recording.Folder) {
	t.Helper()
	folder, err := recording.OpenFolder(filepath.Join(dir, "recordings"))
	if err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Recordings, c.Version = folder, "test" }, folder
}

// tape asks about a region's recording.
func (w *world) tape(region string, q bus.RecordingRequest) (bus.RecordingReply, error) {
	w.t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		w.t.Fatal(err)
	}
	var reply bus.RecordingReply
	data, err := w.conn.Request(context.Background(), bus.Recording("hall", region), body)
	if err == nil {
		err = json.Unmarshal(data, &reply)
	}
	return reply, err
}

// play replays a recording of a folder with the test's rule.
func play(t *testing.T, folder *recording.Folder, name string, w *world) *replay.Report {
	t.Helper()
	file, err := folder.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rd, err := recording.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	report, err := replay.Run(context.Background(), rd, replay.Options{
		Decide: func(string, *recording.Module) (scene.Rule, error) { return grabRule{&w.closed}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestRecording: a running region is recorded over a grab and a swap, and plays again the same.
func TestRecording(t *testing.T) {
	dir := t.TempDir()
	opt, folder := withRecordings(t, dir)
	var w *world
	w = start(t, dir, opt, func(c *Config) {
		c.Module = func(context.Context, int, int, string) (scene.Rule, error) { return grabRule{&w.closed}, nil }
	})
	r := w.read(west)
	r.join(7, "ann")
	began, err := w.tape(west, bus.RecordingRequest{Op: bus.RecordingStart, Seconds: 60})
	if err != nil || !began.Running || !strings.HasPrefix(began.Name, west) {
		t.Fatalf("start: %+v, %v", began, err)
	}
	if _, err := w.tape(west, bus.RecordingRequest{Op: bus.RecordingStart}); err == nil || !strings.Contains(err.Error(), began.Name) {
		t.Errorf("a second start: %v", err)
	}
	if err := folder.Delete(began.Name); err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("deleting what is being written: %v", err)
	}
	r.grab(7, 1)
	r.until("the grab", func() bool { return r.cube().State.Holder != 0 })
	if _, err := w.ask(west, bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab"}); err != nil {
		t.Fatal(err)
	}
	r.join(8, "bob")
	r.send(stream.Input{Kind: stream.InputRelease, Session: 7, Seq: 2, Object: r.cube().ID})
	r.until("the release", func() bool { return r.cube().State.Holder == 0 })
	ended, err := w.tape(west, bus.RecordingRequest{Op: bus.RecordingStop})
	if err != nil || ended.Running || ended.Name != began.Name || ended.Ticks == 0 || ended.Bytes == 0 {
		t.Fatalf("stop: %+v, %v", ended, err)
	}
	if report := play(t, folder, ended.Name, w); !report.Same() || report.Ticks != int(ended.Ticks) || report.Swaps != 1 || report.Calls < 2 {
		t.Errorf("replay: %+v", report)
	}
	if _, err := w.tape(west, bus.RecordingRequest{Op: bus.RecordingStop}); err == nil || !strings.Contains(err.Error(), "an operator stopped it") {
		t.Errorf("a second stop: %v", err)
	}
	if _, err := w.tape(east, bus.RecordingRequest{Op: bus.RecordingStart, Bytes: 5}); err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("too small: %v", err)
	}
	files, err := folder.List()
	if err != nil || len(files) != 1 || files[0].Running {
		t.Errorf("the folder has %+v, %v", files, err)
	}
	if err := folder.Delete(ended.Name); err != nil {
		t.Error(err)
	}
}

// TestRecordingEndsWithTheNode: what was recorded is whole and says why it ended.
func TestRecordingEndsWithTheNode(t *testing.T) {
	dir := t.TempDir()
	opt, folder := withRecordings(t, dir)
	w := start(t, dir, opt)
	r := w.read(west)
	r.join(7, "ann")
	began, err := w.tape(west, bus.RecordingRequest{Op: bus.RecordingStart})
	if err != nil {
		t.Fatal(err)
	}
	tick := r.last.Tick
	r.until("some ticks", func() bool { return r.last.Tick > tick+10 })
	w.close()
	file, err := folder.Open(began.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rd, err := recording.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	for err == nil {
		_, err = rd.Next()
	}
	if n, _ := rd.Frames(); err != io.EOF || n < 10 || !strings.Contains(rd.End().Reason, "stopped") {
		t.Errorf("%d ticks, %v, %+v", n, err, rd.End())
	}
}

// TestNoRecordings: a node without a folder says so.
func TestNoRecordings(t *testing.T) {
	w := start(t, t.TempDir())
	if _, err := w.tape(west, bus.RecordingRequest{Op: bus.RecordingStart}); err == nil || !strings.Contains(err.Error(), "keeps no recordings") {
		t.Error(err)
	}
}
