package system

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// use lets a visitor use a thing and returns the decision.
func (v *visitor) use(thing string) client.Outcome {
	v.t.Helper()
	o := v.object(thing)
	r, err := v.Use(o.Info.ID, right, at(o.State.Body.Head.Pos))
	return v.outcome(r, err)
}

// juggler grabs and releases the ball again and again, until it is stopped.
type juggler struct {
	stop chan struct{}
	done chan error
	took atomic.Int64 // how often it was granted and released
}

func juggle(t *testing.T, v *visitor) *juggler {
	t.Helper()
	j := &juggler{stop: make(chan struct{}), done: make(chan error, 1)}
	ball := v.object("ball")
	hand := at(ball.State.Body.Head.Pos)
	decided := func(what string, r *client.Request, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		out, err := r.Applied(ctx)
		if err == nil && !out.OK {
			err = fmt.Errorf("%s %s", out.Code.Name(), out.Msg)
		}
		if err != nil {
			return fmt.Errorf("%s after %d rounds: %w", what, j.took.Load(), err)
		}
		return nil
	}
	go func() {
		for {
			select {
			case <-j.stop:
				j.done <- nil
				return
			default:
			}
			r, err := v.Grab(ball.Info.ID, right, hand)
			if err = decided("grab", r, err); err == nil {
				r, err = v.Release(ball.Info.ID, right, hand)
				err = decided("release", r, err)
			}
			if err != nil {
				j.done <- err
				return
			}
			j.took.Add(1)
		}
	}()
	return j
}

// A plugin that traps, loops, answers nonsense, wants what is not its business, or takes memory, log and state without
// end costs the one who made it do so that one answer. Somebody else plays on with a ball, the region
// stays, and the operator sees what happened.
func TestBadPlugin(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("testdata", "saboteur.toml"))
	player := visit(t, s, s.URL, "player", client.LaneWebRTC)
	j := juggle(t, player)
	whole := func(after string) {
		t.Helper()
		player.await("readiness after "+after, func() bool {
			code, _ := get(t, s.Metrics+"/readyz")
			return code == http.StatusOK
		})
		for took := j.took.Load(); j.took.Load() == took; {
			select {
			case err := <-j.done:
				t.Fatalf("after %s the player's grabs fail: %v", after, err)
			case <-player.frames:
			case <-time.After(patience):
				t.Fatalf("after %s the player gets no answer for %s", after, patience)
			}
		}
	}

	// Nobody does so much that the rule is closed to them.
	faults := map[string]int{}
	vandals := map[string]*visitor{}
	for _, c := range []struct {
		who, thing string
		kind       string // of the fault, "" for none
		code       wire.Code
		reason     string // in the log
	}{
		{"ann", "trap", "trap", wire.CodeDeniedFault, "unreachable"},
		{"ann", "abort", "abort", wire.CodeDeniedFault, "the saboteur gives up"},
		{"bob", "loop", "fuel", wire.CodeDeniedFault, "used more than 5 million units of fuel"},
		{"cid", "malformed", "output", wire.CodeDeniedFault, "kind 99 is unknown"},
		{"cid", "forbidden", "output", wire.CodeDeniedFault, "teleport is not in its manifest's commands"},
		{"cid", "foreign", "output", wire.CodeDeniedFault, `is of kind \"ball\", which this rule does not decide`},
		{"cid", "memory", "memory", wire.CodeDeniedFault, "bytes of memory, the limit is 1048576"},
		{"dan", "half", "trap", wire.CodeDeniedFault, "unreachable"},
		{"dan", "state", "abort", wire.CodeDeniedFault, "no more room"},
		{"dan", "log", "", 0, `msg="flood, and a line of its own?\\nlevel=ERROR msg=forged"`},
		{"dan", "silent", "", wire.CodeDeniedUnanswered, ""},
	} {
		v := vandals[c.who]
		if v == nil {
			v = visit(t, s, s.URL, c.who, client.LaneWS)
			vandals[c.who] = v
		}
		before := v.object(c.thing)
		out := v.use(c.thing)
		if out.OK != (c.code == 0) || out.Code != c.code {
			t.Errorf("%s: %+v, want %s", c.thing, out, c.code.Name())
		}
		if c.kind != "" {
			faults[c.kind]++
		}
		if out := v.use("honest"); !out.OK {
			t.Errorf("after %s an honest use is answered with %+v", c.thing, out)
		}
		if after := v.object(c.thing); after.State != before.State {
			t.Errorf("%s changed: %+v, was %+v", c.thing, after.State, before.State)
		}
		if log := s.Output(); !strings.Contains(log, c.reason) {
			t.Errorf("%s: the log does not say %q", c.thing, c.reason)
		}
		whole(c.thing)
	}
	if n := strings.Count(s.Output(), "flood, and"); n > 1000 {
		t.Errorf("%d lines of the flood are in the log", n)
	}

	// Two people whose uses fail one after the other: it is the plugin.
	for _, who := range []string{"ann", "dan", "ann"} {
		if out := vandals[who].use("trap"); out.Code != wire.CodeDeniedFault {
			t.Errorf("%s's use of the trap: %+v", who, out)
		}
		faults["trap"]++
	}
	if out := vandals["bob"].use("honest"); out.Code != wire.CodeDeniedQuarantine {
		t.Errorf("after faults in a row: %+v, want denied_quarantine", out)
	}
	whole("quarantine")

	_, metrics := get(t, s.Metrics+"/metrics")
	for kind, n := range faults {
		if line := fmt.Sprintf("venued_rule_faults_total{kind=%q,region=\"ground\",rule=\"saboteur\"} %d\n", kind, n); !strings.Contains(metrics, line) {
			t.Errorf("/metrics does not say %s", line)
		}
	}
	if strings.Contains(metrics, `rule="grab"`) {
		t.Error("/metrics counts faults of the grab rule")
	}
	if line := `venued_region_restarts_total{region="ground"} 0`; !strings.Contains(metrics, line) {
		t.Errorf("/metrics does not say %s", line)
	}
	for _, want := range []string{"rule=saboteur", "plugin saboteur: fuel", "quarantined=true"} {
		if !strings.Contains(s.Output(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}

	close(j.stop)
	if err := <-j.done; err != nil {
		t.Errorf("the player's grabs: %v", err)
	}
	if code := s.Stop(); code != 0 {
		t.Errorf("exit code %d after SIGTERM", code)
	}
}
