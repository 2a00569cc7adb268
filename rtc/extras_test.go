package rtc

import (
	"testing"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
)

var (
	aLook = lattice.Extras{Has: lattice.StreamGaze, Gaze: lattice.Gaze{Yaw: -40, Pitch: 12}}
	aFist = lattice.Extras{Has: lattice.StreamFingers, Fingers: lattice.Fingers{Hands: 1, Curls: [2]lattice.Curls{{3, 31, 30, 29, 28}}}}
	aRoot = lattice.Extras{Has: lattice.StreamRoot, Root: lattice.Root{Off: lattice.Vec{Y: -1700}, Yaw: 700}}
)

// tell sends a pose that tells of optional streams.
func (v *visitor) tell(said lattice.Streams, e lattice.Extras) {
	v.mu.Lock()
	v.seq++
	at := lattice.Vec{X: 5 * lattice.Steps, Y: 1700, Z: 5 * lattice.Steps}
	p := wire.Pose{Seq: v.seq, Body: lattice.Body{Head: lattice.Joint{Pos: at}, Left: lattice.Joint{Pos: at}, Right: lattice.Joint{Pos: at}}, Said: said, Extras: e}
	p.HasAck, p.AckSeq, p.AckBits = v.view.Ack()
	v.mu.Unlock()
	v.sendPose(wire.AppendPose(nil, &p))
}

// What one person's samples say of optional streams, and that they speak, another one sees, over every lane; so with its end.
func TestOptionalStreamsAndSpeakingAreSeen(t *testing.T) {
	for _, lane := range []string{"", "ws"} {
		t.Run("lane="+lane, func(t *testing.T) {
			r := newRig(t, rigOptions{})
			ada := r.join(joinOptions{claims: token.Claims{User: "ada"}, lane: lane})
			bob := r.join(joinOptions{claims: token.Claims{User: "bob"}, lane: lane})
			him := uint64(bob.welcome.Entity)
			shows := func(what string, said lattice.Streams, e, want lattice.Extras) {
				t.Helper()
				ada.sees(what, func(v *wire.View) bool {
					x, ok := v.Entity(him)
					if ok && x.Extras == want {
						return true
					}
					bob.tell(said, e)
					return false
				})
			}
			all := aLook
			all.Put(lattice.StreamFingers, &aFist)
			all.Put(lattice.StreamRoot, &aRoot)
			shows("bob's gaze", lattice.StreamGaze, aLook, aLook)
			shows("the others too", lattice.AllStreams&^lattice.StreamGaze, all, all)
			shows("the end of two", lattice.StreamGaze|lattice.StreamRoot, lattice.Extras{}, aFist)

			speaks := func(on bool) {
				t.Helper()
				u := wire.Up{T: wire.UpSpeaking, On: on}
				bob.send(string(u.Append(nil)))
				ada.sees("speaking", func(v *wire.View) bool {
					x, ok := v.Entity(him)
					if ok && (x.State.Flags&stream.FlagSpeaking != 0) == on {
						return true
					}
					bob.tell(0, lattice.Extras{})
					return false
				})
			}
			speaks(true)
			speaks(false)
			bob.send(`{"t":"speaking","on":"yes"}`)
			if e := bob.next("error"); e.Code != wire.CodeBadField || e.Field != "event.on" {
				t.Errorf("a bad speaking: %+v", e)
			}
		})
	}
}

// Of samples that come faster than they are passed on, each says something that counts.
func TestNoPartOfASampleIsOvertaken(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.tell(lattice.StreamGaze, aLook)
	v.tell(lattice.StreamFingers, aFist)
	v.tell(lattice.StreamRoot, aRoot)
	v.tell(0, lattice.Extras{})
	said := func() (s lattice.Streams, e lattice.Extras) {
		for i := range r.region.poses {
			p := &r.region.poses[i]
			s |= p.Said
			e.Put(p.Said, &p.Extras)
		}
		return s, e
	}
	r.region.until(t, "all streams", func() bool { s, _ := said(); return s == lattice.AllStreams })
	r.region.do(func() {
		want := aLook
		want.Put(lattice.StreamFingers, &aFist)
		want.Put(lattice.StreamRoot, &aRoot)
		if _, e := said(); e != want {
			t.Errorf("%+v, want %+v", e, want)
		}
	})
}

// Whoever says that they speak and do not, in turn, changes four times a second, and ends as they said last.
func TestSpeakingTurnsSlowly(t *testing.T) {
	var s speaking
	at, turns, was := time.Unix(1000, 0), 0, false
	for i := range 1001 {
		s.says = i%2 == 0
		if now := s.now(at); now != was {
			was = now
			turns++
		}
		at = at.Add(time.Millisecond)
	}
	if turns > 5 {
		t.Errorf("%d turns in a second", turns)
	}
	if s.says = true; !s.now(at.Add(time.Second)) {
		t.Error("what was said last does not count")
	}
}
