package console

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

func TestKick(t *testing.T) {
	r := newRig(t, options{})
	ann := r.visit("ann", "Ann")
	session := decimal(uint64(ann.Welcome().Session))
	w := r.watch()
	w.shows("Ann", func(Thing) bool { return true })
	done := into[Done](r, r.call("POST", "/clients/{session}/kick", `{"message":"closing <time>"}`, session))
	if done.Message != "The visit of Ann (ann) was ended." || !*done.Changed {
		t.Errorf("the answer is %+v", done)
	}
	<-ann.Done()
	refused, ok := errors.AsType[*client.Refused](ann.Err())
	if !ok || refused.Code != wire.CodeKicked || refused.Msg != "closing <time>" {
		t.Errorf("ann was told %v", ann.Err())
	}
	w.until("ann is gone", func(sse) bool {
		for _, t := range w.things {
			if t.Name == "Ann" {
				return false
			}
		}
		return true
	})
	r.until("the list to be without her", func() bool { return len(into[Clients](r, r.call("GET", "/clients", "")).Clients) == 0 })
	if res := r.call("POST", "/clients/{session}/kick", "", session); res.status != 404 {
		t.Errorf("a second kick: %d %s", res.status, res.body)
	}
	ben := r.visit("ben", "ben")
	into[Done](r, r.call("POST", "/clients/{session}/kick", "", decimal(uint64(ben.Welcome().Session))))
	<-ben.Done()
	if !strings.Contains(ben.Err().Error(), kickMessage) {
		t.Errorf("ben was told %v", ben.Err())
	}
	if text := fmt.Sprint(r.c.tail.After(0)); !strings.Contains(text, "action=kick") || !strings.Contains(text, "by=token") {
		t.Error("the log does not say what the operator did")
	}
}

func TestReset(t *testing.T) {
	r := newRig(t, options{})
	ann := r.visit("ann", "Ann")
	w := r.watch()
	cube := r.cube(ann)
	hand := lattice.Joint{Pos: lattice.Vec{X: -10 * lattice.Steps, Y: 1228}}
	ann.SetPose(lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: -10 * lattice.Steps, Y: 1638, Z: 512}}, Left: hand, Right: hand})
	if _, err := ann.Grab(cube, 0, hand); err != nil {
		t.Fatal(err)
	}
	w.shows("cube", func(c Thing) bool { return c.Holder != nil })
	done := into[Done](r, r.call("POST", "/objects/{name}/reset", "", "cube"))
	if done.Message != "Object cube was taken out of a hand and put back." || !*done.Changed || *done.Tick == 0 {
		t.Errorf("the answer is %+v", done)
	}
	w.shows("cube", func(c Thing) bool { return c.Holder == nil && c.P[0] == -10 && c.P[1] == 1.2 })
	for e := range ann.Events() {
		if e.T == "released" && uint64(e.Object) == cube {
			break
		}
	}
	done = into[Done](r, r.call("POST", "/objects/{name}/reset", "", "cube"))
	if done.Message != "Object cube was in its place already." || *done.Changed {
		t.Errorf("the second answer is %+v", done)
	}
}

// TestReload: a rule in quarantine says why; loading it again ends that, in every region.
func TestReload(t *testing.T) {
	r := newRig(t, options{broken: true})
	ann, ben := r.visit("ann", ""), r.visit("ben", "")
	west := func() Rule { return into[Rules](r, r.call("GET", "/rules", "")).Rules[0] }
	for !west().Quarantined {
		// One each a tick: somebody whose events fail many times in one is only kept away from the rule.
		before := r.node.Status()[0].Tick
		for _, c := range []*client.Client{ann, ben} {
			if _, err := c.Message("hello", nil); err != nil {
				t.Fatal(err)
			}
		}
		r.until("a tick", func() bool { return r.node.Status()[0].Tick > before+2 })
	}
	if s := west(); s.Faults == 0 || s.LastFault == nil || !strings.Contains(*s.LastFault, "<img src=x") || s.Calls == 0 || s.CallP99Us <= 0 {
		t.Errorf("the rule in quarantine is shown as %+v", s)
	}
	if res := r.call("POST", "/rules/{name}/reload", "", "grab"); res.status != 409 || !strings.Contains(res.fault().Message, "goes on with what it runs") {
		t.Errorf("a module that is not there: %d %s", res.status, res.body)
	}
	r.mu.Lock()
	r.reload = func() (scene.Rule, error) { return grabRule{digest: "fedcba9876543210"}, nil }
	r.mu.Unlock()
	done := into[Done](r, r.call("POST", "/rules/{name}/reload", "", "grab"))
	if !*done.Changed || done.Message != "Rule grab runs version 1.2.3 (fedcba987654), another module." {
		t.Errorf("the answer is %+v", done)
	}
	for _, s := range into[Rules](r, r.call("GET", "/rules", "")).Rules {
		if s.Quarantined || s.Faults != 0 || s.Digest != "fedcba9876543210" {
			t.Errorf("after the reload: %+v", s)
		}
	}
	done = into[Done](r, r.call("POST", "/rules/{name}/reload", "", "grab"))
	if *done.Changed || !strings.Contains(done.Message, "the same module as before") {
		t.Errorf("the second answer is %+v", done)
	}
}

// TestReloadInOneRegionOnly: when a region does not take the module, the answer says so and that the others have it.
func TestReloadInOneRegionOnly(t *testing.T) {
	r := newRig(t, options{})
	n := 0
	r.reload = func() (scene.Rule, error) {
		if n++; n == 2 {
			return nil, errors.New("no memory left")
		}
		return grabRule{digest: "fedcba9876543210"}, nil
	}
	res := r.call("POST", "/rules/{name}/reload", "", "grab")
	if m := res.fault().Message; res.status != 409 || !strings.Contains(m, "no memory left") || !strings.Contains(m, "in the other regions it was loaded") {
		t.Errorf("%d %s", res.status, res.body)
	}
}

// TestAfterTheNode: actions on regions that do not answer say so.
func TestAfterTheNode(t *testing.T) {
	r := newRig(t, options{})
	if err := r.node.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if res := r.call("POST", "/objects/{name}/reset", "", "cube"); res.status != 503 || res.fault().Code != FaultCodeUnavailable || !strings.Contains(res.fault().Message, "ground-0") {
		t.Errorf("%d %s", res.status, res.body)
	}
	if s := into[Regions](r, r.call("GET", "/regions", "")).Regions[0]; s.State != RegionStateStopped {
		t.Errorf("the region is shown as %+v", s)
	}
}
