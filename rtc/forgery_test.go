package rtc

import (
	"fmt"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// Corrections twice a second for as long as it takes end a forger, one now and then nobody, nor what is not speed.
func TestForgeriesAreCounted(t *testing.T) {
	correct := func(atUS int64, why string) *stream.Event {
		return &stream.Event{TimeUS: atUS, Type: "correct", Body: fmt.Appendf(nil, `{"p":[0,0,0],"why":%q,"code":120}`, why)}
	}
	var f forgery
	n := 0
	for ; !f.count(correct(1e9+int64(n)*500_000, "speed")); n++ {
		if n > 3*forgedMost {
			t.Fatal("two corrections a second never end")
		}
	}
	if n < 2*forgedMost-4 {
		t.Errorf("ended after %d corrections at two a second, want about %d", n, 2*forgedMost)
	}
	f = forgery{}
	for i := range 1000 {
		if f.count(correct(int64(i)*1_000_000, "speed")) || f.count(correct(int64(i)*1_000_000, "bounds")) || f.count(correct(int64(i)*1_000_000, "reach")) {
			t.Fatalf("ended after %d s of one correction a second", i)
		}
	}
}

// A forger is closed with the reason; another person is not.
func TestForgerIsClosed(t *testing.T) {
	r := newRig(t, rigOptions{})
	honest, forger := joinOptions{lane: "ws"}, joinOptions{lane: "ws"}
	honest.claims.User, forger.claims.User = "ann", "mallory"
	a, m := r.join(honest), r.join(forger)
	for _, v := range []*visitor{a, m} {
		n := forgedMost + 2
		if v == a {
			n = forgedMost / 2
		}
		r.region.do(func() {
			for range n {
				r.region.emit(stream.Event{Audience: stream.ToSession, Session: uint64(v.welcome.Session), Type: "correct",
					At: lattice.Vec{}, Body: []byte(`{"p":[5,1.6,5],"why":"speed","code":120}`)})
			}
		})
	}
	if d := m.end(); d.Code != wire.CodeProtocolViolation || d.Msg == "" {
		t.Errorf("the forger was closed with %+v", d)
	}
	a.say(1, "still here")
	if d := a.next("ack"); !d.OK {
		t.Errorf("the other one: %+v", d)
	}
}
