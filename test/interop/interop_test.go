// Package interop holds the test that a WebRTC implementation other than the server's own,
// libwebrtc under Node, with the codec of the TypeScript client, joins a real server and does what a visitor does.
package interop

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// patience bounds every wait of the tests.
const patience = 60 * time.Second

// spawn is where both visitors of the test appear, see testdata/room.toml.
const spawn = "door"

// node makes a command of a script in this folder. The modules are installed when they are missing.
func node(t *testing.T, ctx context.Context, args ...string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("node is not installed: run test/setup.sh (make setup)")
	}
	if _, err := os.Stat(filepath.Join("node_modules", "@roamhq", "wrtc")); err != nil {
		if out, err := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund").CombinedOutput(); err != nil {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
	}
	return exec.CommandContext(ctx, "node", args...)
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// codec bundles the TypeScript client's codec for Node and returns the file.
func codec(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "wire.mjs")
	root, err := filepath.Abs(filepath.Join("..", "..", "sdk", "web", "src"))
	if err != nil {
		t.Fatal(err)
	}
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{
			Contents:   `export * from './wire/pose.ts'; export * from './wire/view.ts'; export * from './wire/lattice.ts';`,
			ResolveDir: root, Loader: api.LoaderTS,
		},
		Bundle: true, Format: api.FormatESModule, Platform: api.PlatformNode, Target: api.ES2022, Outfile: out, Write: true, LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		t.Fatalf("bundling the codec: %+v", result.Errors)
	}
	return out
}

// walker is a Go client that walks in a circle about the place it was given.
func walker(t *testing.T, s *process.Server) (*client.Client, <-chan struct{}) {
	t.Helper()
	frames := make(chan struct{}, 1)
	centre := make(chan lattice.Vec, 1)
	var middle lattice.Vec
	pose := func(us int64) lattice.Body {
		select {
		case middle = <-centre:
		default:
		}
		a := float64(us%4_000_000) / 4e6 * 2 * math.Pi
		head := middle.Add(lattice.Vec{X: int32(300 * math.Sin(a)), Z: int32(300*math.Cos(a)) - 300})
		down := lattice.Vec{Y: -lattice.Steps / 2}
		return lattice.Body{
			Head: lattice.Joint{Pos: head}, Left: lattice.Joint{Pos: head.Add(down)}, Right: lattice.Joint{Pos: head.Add(down)},
		}
	}
	c, err := client.Dial(within(t), client.Options{
		URL: s.Join, User: "walker", Spawn: spawn, Lane: client.LaneWS, EventQueue: 4096,
		OnWelcome: func(w *wire.Welcome) { centre <- lattice.Vec(w.P) },
		Pose:      pose,
		OnFrame: func(*client.Frame) {
			select {
			case frames <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, frames
}

type milestone struct {
	Milestone string `json:"milestone"`
	Entity    string `json:"entity"`
	Object    string `json:"object"`
	By        string `json:"by"`
	Rule      string `json:"rule"`
	Name      string `json:"name"`
	User      string `json:"user"`
}

func TestAnotherWebRTCImplementationVisits(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("testdata", "room.toml"))
	c, frames := walker(t, s)
	name := c.Welcome().Name

	ctx := within(t)
	cmd := node(t, ctx, "visitor.mjs", s.Join, "libwebrtc", spawn, name)
	cmd.Env = append(os.Environ(), "VENUED_WIRE="+codec(t))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	got := map[string]milestone{}
	sawHolding := false
	for sc := bufio.NewScanner(stdout); sc.Scan(); {
		lines = append(lines, sc.Text())
		var m milestone
		if err := json.Unmarshal(sc.Bytes(), &m); err != nil {
			t.Errorf("the script said %q: %v", sc.Text(), err)
		}
		got[m.Milestone] = m
		if m.Milestone == "carried" {
			sawHolding = awaitHolder(ctx, c, frames, got["grabbed"].Name)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the visitor failed: %v\n%s\nit had said: %q", err, errs.String(), lines)
	}
	for _, want := range []string{"answered", "welcome", "saw", "grabbed", "carried", "released", "left"} {
		if _, ok := got[want]; !ok {
			t.Errorf("milestone %q is missing of %q", want, lines)
		}
	}
	if got["grabbed"].By != got["welcome"].Entity {
		t.Errorf("the object was grabbed by %s, the visitor is %s", got["grabbed"].By, got["welcome"].Entity)
	}
	if got["grabbed"].Rule == "" {
		t.Error("the event does not name the rule that granted the grab")
	}
	if got["welcome"].User != "libwebrtc" {
		t.Errorf("the visitor joined as %q", got["welcome"].User)
	}
	if !sawHolding {
		t.Error("the other client never saw the visitor hold the object")
	}
}

// awaitHolder waits until the client sees an object held by somebody whom it sees, or ctx ends.
// The visitor may release it at any moment: the grabbed event will do as well.
func awaitHolder(ctx context.Context, c *client.Client, frames <-chan struct{}, object string) bool {
	for {
		for _, e := range c.Entities() {
			if e.Info.Kind == stream.Object && e.Info.Name == object && e.State.Holder != 0 {
				if _, visible := c.Entity(e.State.Holder); visible {
					return true
				}
			}
		}
		select {
		case e, open := <-c.Events():
			if !open {
				return false
			}
			if e.T == wire.DownGrabbed {
				return true
			}
		case <-frames:
		case <-ctx.Done():
			return false
		}
	}
}
