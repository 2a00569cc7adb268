package recording

import (
	"errors"
	"io"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// Track is what one session did: where its person was and what they asked for, on the recording's timeline.
type Track struct {
	User    string // pseudonym
	Session uint64
	Load    bool
	// FromUS and ToUS are when the session was there, as far as the recording goes: server time, microseconds.
	FromUS, ToUS int64
	Start        lattice.Body // before the first sample: where the recording found them; zero for those who joined
	Samples      []Sample     // as the client sent them, in order; what came late or twice is not there
	Did          []Deed
}

// Sample is one pose.
type Sample struct {
	TimeUS int64 // stamp, server time
	Body   lattice.Body
}

// Deed is something else that a session did, or that befell it.
type Deed struct {
	TimeUS int64 // stamp, server time
	Kind   stream.InputKind
	Object string // name in the manifest of what a grab, release or use was of, "" if it is none of the region's
	Hand   uint8
	Topic  string // of a message
	Bytes  int    // of a message's payload
	Reason uint16 // of a leave
}

// Tracks reads the rest of a recording and returns every session's track, in the order they appeared. Where the recording is cut or
// damaged it returns what came before, with the error.
func (rd *Reader) Tracks() ([]Track, error) {
	t := newTracker(&rd.header)
	for {
		f, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return t.done(), nil
		}
		if err != nil {
			return t.done(), err
		}
		t.frame(f)
	}
}

type tracker struct {
	tickUS  int64
	objects map[uint64]string
	tracks  []*Track
	open    map[uint64]*Track // by session
	last    map[uint64]uint16 // pose number
	nowUS   int64
}

func newTracker(h *Header) *tracker {
	t := &tracker{
		tickUS: int64(1_000_000 / h.TickHz), objects: map[uint64]string{}, open: map[uint64]*Track{}, last: map[uint64]uint16{},
	}
	t.nowUS = int64(h.Start.Tick) * t.tickUS
	for _, o := range h.Start.Saved.Objects {
		t.objects[o.ID] = o.Name
	}
	for _, u := range h.Start.Saved.Users {
		track := t.begin(u.Session, u.User, u.Load)
		track.Start = u.Body
	}
	for i := range h.Start.Users {
		if u := &h.Start.Users[i]; t.open[u.Session] != nil {
			t.open[u.Session].Start = u.State.Body
			if u.HasPose {
				t.last[u.Session] = u.PoseSeq
			}
		}
	}
	return t
}

func (t *tracker) begin(session uint64, user string, load bool) *Track {
	track := &Track{User: user, Session: session, Load: load, FromUS: t.nowUS}
	t.tracks = append(t.tracks, track)
	t.open[session] = track
	return track
}

func (t *tracker) frame(f *Frame) {
	t.nowUS = int64(f.Tick) * t.tickUS
	for i := range f.Inputs {
		x := &f.Inputs[i]
		track := t.open[x.Session]
		if x.Kind == stream.InputJoin && track == nil {
			track = t.begin(x.Session, x.User, x.Load)
			track.FromUS = x.Arrival
		}
		if track == nil {
			continue
		}
		deed := Deed{TimeUS: x.Stamp, Kind: x.Kind}
		switch x.Kind {
		case stream.InputPose:
			if last, ok := t.last[x.Session]; ok && int16(x.PoseSeq-last) <= 0 {
				continue
			}
			t.last[x.Session] = x.PoseSeq
			track.Samples = append(track.Samples, Sample{x.Stamp, x.Body})
			continue
		case stream.InputGrab, stream.InputRelease, stream.InputUse:
			deed.Object, deed.Hand = t.objects[x.Object], x.Hand
		case stream.InputMessage:
			deed.Topic, deed.Bytes = x.Topic, len(x.Data)
		case stream.InputBack:
			delete(t.last, x.Session) // a new connection counts its samples anew
		case stream.InputLeave:
			deed.Reason = x.Reason
			track.ToUS = x.Arrival
			delete(t.open, x.Session)
		}
		track.Did = append(track.Did, deed)
	}
}

func (t *tracker) done() []Track {
	out := make([]Track, 0, len(t.tracks))
	for _, track := range t.tracks {
		if track.ToUS == 0 {
			track.ToUS = t.nowUS
		}
		out = append(out, *track)
	}
	return out
}
