package system

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

func TestMain(m *testing.M) {
	if err := os.MkdirAll(artifacts(), 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// artifacts is where reports of runs are kept.
func artifacts() string { return "../../artifacts" }

// patience bounds every wait: far above what it takes.
const patience = 30 * time.Second

// visitor is a client with a place to wait for what it sees.
type visitor struct {
	*client.Client
	t      testing.TB
	frames chan struct{} // a token after a frame
}

// visit joins a server as a user over a lane; url may be a proxy before it.
func visit(t testing.TB, s *process.Server, url, user string, lane client.Lane) *visitor {
	t.Helper()
	v := &visitor{t: t, frames: make(chan struct{}, 1)}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := client.Dial(ctx, client.Options{
		URL: url, Token: s.Token, User: user, Lane: lane,
		OnFrame: func(*client.Frame) {
			select {
			case v.frames <- struct{}{}:
			default:
			}
		},
		EventQueue: 4096,
	})
	if err != nil {
		t.Fatalf("%s cannot join over %s: %v", user, lane, err)
	}
	t.Cleanup(func() { c.Close() }) //nolint:errcheck // the second close of some
	v.Client = c
	return v
}

// await waits until something holds for what the visitor sees, looking at each frame.
func (v *visitor) await(what string, holds func() bool) {
	v.t.Helper()
	limit := time.After(patience)
	for !holds() {
		select {
		case <-v.frames:
		case <-v.Done():
			v.t.Fatalf("waiting for %s: the client ended: %v", what, v.Err())
		case <-limit:
			v.t.Fatalf("waiting for %s: not after %s; visible: %v", what, patience, v.Entities())
		}
	}
}

// object waits until an object is visible and returns it.
func (v *visitor) object(name string) wire.Visible {
	v.t.Helper()
	var found wire.Visible
	v.await("object "+name, func() bool {
		for _, e := range v.Entities() {
			if e.Info.Name == name {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

// body stands at the place that the welcome gave, with the right hand at a point.
func (v *visitor) body(hand lattice.Vec) lattice.Body {
	v.t.Helper()
	head := lattice.Vec(v.Welcome().P)
	return lattice.Body{
		Head:  lattice.Joint{Pos: head},
		Left:  lattice.Joint{Pos: head.Sub(lattice.Vec{Y: lattice.Steps / 2})},
		Right: lattice.Joint{Pos: hand},
	}
}

// outcome waits for the decision on a request.
func (v *visitor) outcome(r *client.Request, err error) client.Outcome {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	defer cancel()
	out, err := r.Applied(ctx)
	if err != nil {
		v.t.Fatalf("input %d: %v", r.Seq(), err)
	}
	return out
}

const right = 1

// at is a hand at a point.
func at(p lattice.Vec) lattice.Joint { return lattice.Joint{Pos: p} }
