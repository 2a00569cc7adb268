package client

import (
	"testing"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

var everything = lattice.Extras{
	Has: lattice.AllStreams, Gaze: lattice.Gaze{Yaw: 20, Pitch: -3},
	Fingers: lattice.Fingers{Hands: 2, Curls: [2]lattice.Curls{{}, {1, 2, 3, 4, 5}}},
	Root:    lattice.Root{Off: lattice.Vec{Y: -1700}, Yaw: 9},
}

// Each stream is told of at its rate and not more often, and its end for a second.
func TestExtrasHaveTheirRates(t *testing.T) {
	for _, hz := range []int64{20, 30, 60} {
		c := &Client{extras: everything}
		var p extrasPace
		var told [lattice.StreamCount]int
		at, period := int64(77_000_000), int64(1_000_000)/hz
		sample := func() wire.Pose {
			var pose wire.Pose
			p.put(c, &pose, at+at%3*1000, period)
			at += period
			return pose
		}
		for range 10 * hz {
			pose := sample()
			if err := pose.Extras.Check(); err != nil || pose.Extras != everything.Only(pose.Said) {
				t.Fatalf("%+v: %v", pose, err)
			}
			for i := range told {
				told[i] += int(pose.Said >> i & 1)
			}
		}
		for i, us := range extrasUS {
			want := int(10 * 1_000_000 / us)
			if told[i] < want*9/10 || told[i] > want+2 {
				t.Errorf("%d samples a second: stream %d in %d of ten seconds, want about %d", hz, i, told[i], want)
			}
		}
		c.extras = everything.Only(lattice.StreamGaze)
		c.ending[1] = at + endUS
		ends, after := 0, 0
		for range 3 * hz {
			pose := sample()
			if pose.Said&lattice.StreamRoot != 0 {
				t.Fatal("the end of what never was")
			}
			if pose.Said&lattice.StreamFingers != 0 {
				if ends++; at > c.ending[1]+2*period {
					after++
				}
				if pose.Extras.Has&lattice.StreamFingers != 0 {
					t.Fatal("fingers after their end")
				}
			}
		}
		if ends < 8 || after > 0 {
			t.Errorf("%d samples a second: the end is told %d times, %d of them late", hz, ends, after)
		}
	}
}

// A clock that is put back changes nothing for long.
func TestExtrasAfterTheClockWasPutBack(t *testing.T) {
	c := &Client{extras: everything}
	var p extrasPace
	const period = 33_333
	told := 0
	for i := range int64(300) {
		var pose wire.Pose
		at := 900_000_000 + i*period
		if i >= 150 {
			at -= 700_000_000
		}
		p.put(c, &pose, at, period)
		told += int(pose.Said & lattice.StreamGaze)
	}
	if told < 140 || told > 155 {
		t.Errorf("%d gazes in ten seconds", told)
	}
}

// What is set is told, over the next connection too; what frames say is passed on.
func TestExtrasAndSpeaking(t *testing.T) {
	g := newGateway(t)
	frames := make(chan []stream.EntityExtras, 64)
	c, s := g.join(Options{Lane: LaneWS, OnFrame: func(f *Frame) {
		frames <- append([]stream.EntityExtras(nil), f.Extras...)
	}})
	if err := c.SetExtras(lattice.Extras{Has: lattice.StreamGaze, Gaze: lattice.Gaze{Yaw: 700}}); err == nil {
		t.Error("a gaze of 700 is taken")
	}
	if err := c.SetExtras(everything); err != nil {
		t.Fatal(err)
	}
	heard := func(s *served, want lattice.Extras) {
		t.Helper()
		var said lattice.Streams
		var got lattice.Extras
		for limit := time.After(patience); said != lattice.AllStreams || got != want; {
			select {
			case p := <-s.poses:
				said |= p.Said
				got.Put(p.Said, &p.Extras)
			case <-limit:
				t.Fatalf("heard %+v of %b, want %+v", got, said, want)
			}
		}
	}
	heard(s, everything)
	c.SetSpeaking(true)
	c.SetSpeaking(true)
	if u := s.up(); u.T != wire.UpSpeaking || !u.On {
		t.Errorf("%+v", u)
	}
	if err := c.SetExtras(everything.Only(lattice.StreamRoot)); err != nil {
		t.Fatal(err)
	}
	heard(s, everything.Only(lattice.StreamRoot))

	var w wire.FrameWriter
	someone := wire.Info{ID: 9, Kind: stream.Avatar}
	frame := func(n uint16, write func()) []stream.EntityExtras { // a lane keeps the newest frame only: one after the other
		w.Reset(nil, wire.MaxFrame, wire.FrameHeader{Seq: n, Tick: uint32(n)})
		write()
		s.p.SendPose(w.Bytes())
		return wait(t, frames, "a frame")
	}
	frame(1, func() { w.Enter(3, &someone, &stream.State{}) })
	both := everything.Only(lattice.StreamGaze | lattice.StreamRoot)
	for i, want := range []lattice.Extras{everything.Only(lattice.StreamGaze), both} {
		said := [...]lattice.Streams{lattice.StreamGaze, lattice.StreamRoot}[i]
		got := frame(uint16(2+i), func() { w.Extras(3, said, &everything) })
		if len(got) != 1 || got[0] != (stream.EntityExtras{ID: 9, Extras: want}) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if v, ok := c.Entity(9); !ok || v.Extras != both {
		t.Errorf("shown %+v", v.Extras)
	}

	c.Drop(0)
	s = g.next()
	s.welcome(func(w *wire.Welcome) { w.Resumed = true })
	if u := s.up(); u.T != wire.UpSpeaking || !u.On {
		t.Errorf("over the next connection: %+v", u)
	}
	c.SetSpeaking(false)
	if u := s.up(); u.T != wire.UpSpeaking || u.On {
		t.Errorf("%+v", u)
	}
}
