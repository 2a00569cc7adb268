package behaviour

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
	"github.com/venued/venued/venues"
)

const manifest = `
[venue]
id = "hall"
name = "A hall"
[[floor]]
name = "ground"
min = [-10.0, -20.0]
max = [30.0, 20.0]
[[spawn]]
name = "middle"
at = [10.0, 0.0]
[[kind]]
name = "vase"
grabbable = true
[[object]]
name = "vase"
kind = "vase"
at = [11.0, 1.0, 0.0]
`

// recorded makes a recording of a person who walks about, grabs every 4 s, says something after every grab 1 s later, and of a bot beside.
func recorded(t *testing.T, dir string, length time.Duration) (path string, v *venues.Venue) {
	t.Helper()
	v, err := venues.Read("hall.toml", []byte(manifest), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	region, err := scene.New(scene.Config{Venue: v, Epoch: 1, IDBlock: 1})
	if err != nil {
		t.Fatal(err)
	}
	region.Step(1, nil)
	var file bytes.Buffer
	rec, err := recording.New(&file, recording.Start{Venue: v, Region: region, Host: "test", Began: time.Unix(1_800_000_000, 0), Patient: true})
	if err != nil {
		t.Fatal(err)
	}
	person, bot := motion.NewPerson(motion.Walk, 4), motion.NewPerson(motion.Walk, 5)
	for _, p := range []*motion.Person{person, bot} {
		p.Place(10, 0, 0, 0)
	}
	tickUS := v.TickUS()
	ticks := int(length.Microseconds() / tickUS)
	thing, ok := region.Object("vase")
	if !ok {
		t.Fatal("the region has no vase")
	}
	vase := thing.ID
	for i := 2; i <= ticks; i++ {
		now := int64(i) * tickUS
		var in []stream.Input
		for session, p := range []*motion.Person{person, bot} {
			x := stream.Input{Session: uint64(session + 1), Stamp: now, Arrival: now, User: []string{"ann", "bot"}[session], Load: session == 1}
			if i == 2 {
				x.Kind, x.Name = stream.InputJoin, x.User
				in = append(in, x)
				continue
			}
			if i%150 == 1 {
				p.GoTo(10+float64(i/150%2), 0)
			}
			s := p.Step(float64(tickUS) / 1e6)
			b, err := s.Body()
			if err != nil {
				t.Fatal(err)
			}
			x.Kind, x.PoseSeq, x.Body = stream.InputPose, uint16(i), b
			in = append(in, x)
			x.PoseSeq, x.Body = 0, lattice.Body{}
			if session == 0 && i%120 == 0 {
				x.Kind, x.Object, x.Hand, x.HandAt, x.Seq = stream.InputGrab, vase, 1, b.Right, uint32(i/120*2-1)
				in = append(in, x)
			}
			if session == 0 && i > 120 && i%120 == 30 {
				x.Kind, x.Topic, x.Data, x.Seq = stream.InputMessage, "chat", []byte("hello"), uint32(i/120*2)
				in = append(in, x)
			}
		}
		rec.Begin(in)
		rec.End(region.Step(uint64(i), in))
	}
	rec.Stop("the test is over")
	if _, err := rec.Wait(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "hall.vrec")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, v
}

func TestReplayOfARecording(t *testing.T) {
	dir := t.TempDir()
	path, v := recorded(t, dir, time.Minute)
	d := v.Describe()
	p := plan.Default(1, time.Minute)
	p.Behaviours = []plan.Behaviour{{Kind: plan.Replayed, Share: 1, File: "hall.vrec"}}
	c, err := Open(p, dir, &d)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(mustClips(t, path)); n != 1 {
		t.Fatalf("%d clips of one person and one bot", n)
	}
	count := map[string]int{}
	visitor := c.Visitor(0)
	last := time.Duration(0)
	for a, ok := visitor.Next(); ok && a.At < time.Minute; a, ok = visitor.Next() {
		if a.At < last || a.Object != "" {
			t.Fatalf("act %+v after one at %v", a, last)
		}
		last = a.At
		count[a.Kind]++
	}
	if count[plan.Grab] < 13 || count[plan.Grab] > 15 || count[plan.Rule] < 12 || count[plan.Rule] > 15 {
		t.Errorf("in a minute the copy does %v, the recording has 14 grabs and 14 messages or so", count)
	}
	for range 30 {
		visitor.Pose(last)
		last += time.Second / 30
	}
	d.ID = "another"
	want := `load.behaviour[0]: ` + path + `: a recording of the venue "hall", this one is "another"`
	if _, err := Open(p, dir, &d); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s ...", err, want)
	}
	if err := os.WriteFile(path, []byte("no recording"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadClips(path, "hall"); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("%v, want an error that names the file", err)
	}
}

func mustClips(t *testing.T, path string) []Clip {
	t.Helper()
	clips, err := ReadClips(path, "hall")
	if err != nil {
		t.Fatal(err)
	}
	return clips
}
