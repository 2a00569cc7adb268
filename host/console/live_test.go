package console

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// stream of events, as a browser reads it.
type watcher struct {
	r      *rig
	events chan sse
	ended  chan struct{}
	things map[string]Thing
}

type sse struct{ name, data string }

// watch opens the live stream.
func (r *rig) watch(headers ...string) *watcher {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	q, err := http.NewRequestWithContext(ctx, "GET", r.url+"/admin/api/live", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		q.Header.Set(name, value)
	}
	if len(headers) == 0 {
		q.Header.Set("Authorization", "Bearer "+adminToken)
	}
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		r.t.Fatal(err)
	}
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		b, _ := io.ReadAll(res.Body)
		r.t.Fatalf("live: %d %s: %s", res.StatusCode, res.Header.Get("Content-Type"), b)
	}
	w := &watcher{r: r, events: make(chan sse, 1024), ended: make(chan struct{}), things: map[string]Thing{}}
	go func() {
		defer close(w.ended)
		var e sse
		for sc := bufio.NewScanner(res.Body); sc.Scan(); {
			switch name, value, _ := strings.Cut(sc.Text(), ": "); name {
			case "event":
				e.name = value
			case "data":
				e.data = value
			case "":
				w.events <- e
			}
		}
	}()
	r.t.Cleanup(func() {
		cancel()
		res.Body.Close()
		<-w.ended
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return w
}

// schemas are what the document says of events.
var schemas = map[string]string{"map": "MapState", "change": "MapChange", "sample": "Sample", "log": "LogLine"}

// until reads events, holds each against the document and keeps the map, until done says so.
func (w *watcher) until(what string, done func(e sse) bool) {
	w.r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		select {
		case e := <-w.events:
			w.take(e)
			if done(e) {
				return
			}
		case <-ctx.Done():
			w.r.t.Fatalf("%s: not within %v", what, patience)
		case <-w.ended:
			w.r.t.Fatalf("%s: the stream ended", what)
		}
	}
}

func (w *watcher) take(e sse) {
	w.r.t.Helper()
	schema := w.r.doc.Components.Schemas[schemas[e.name]]
	if schema == nil {
		w.r.t.Fatalf("event %q is not in the document", e.name)
	}
	w.r.matches(schema.Value, []byte(e.data), e.name)
	switch e.name {
	case "map":
		clear(w.things)
		var m MapState
		_ = json.Unmarshal([]byte(e.data), &m) // matches has read it
		for _, t := range m.Things {
			w.things[t.Id] = t
		}
	case "change":
		var c MapChange
		_ = json.Unmarshal([]byte(e.data), &c)
		for _, t := range c.Changed {
			w.things[t.Id] = t
		}
		for _, m := range c.Moved {
			t, ok := w.things[m.Id]
			if !ok {
				w.r.t.Errorf("%s moved and was never told of", m.Id)
			}
			t.P, t.Yaw = m.P, m.Yaw
			w.things[m.Id] = t
		}
		for _, id := range c.Gone {
			if _, ok := w.things[id]; !ok {
				w.r.t.Errorf("%s is gone and was never told of", id)
			}
			delete(w.things, id)
		}
	}
}

// shows waits until a thing of this name is as cond wants it.
func (w *watcher) shows(name string, cond func(t Thing) bool) {
	w.r.t.Helper()
	w.until(name, func(sse) bool {
		for _, t := range w.things {
			if t.Name == name && cond(t) {
				return true
			}
		}
		return false
	})
}

// TestLive: what happens in the venue is on the map, names as they are.
func TestLive(t *testing.T) {
	r := newRig(t, options{})
	w := r.watch()
	w.shows("cube", func(c Thing) bool {
		return c.Kind == ThingKindObject && slices.Equal(c.P, Point{-10, 1.2, 0}) && c.Yaw > 1.56 && c.Yaw < 1.58 && c.Holder == nil
	})
	w.shows("gate", func(d Thing) bool { return d.Kind == ThingKindDoor && *d.Value == 0 && !*d.Locked })
	const evil = `<script>alert("x")</script>`
	ann := r.visit("ann", evil)
	w.shows(evil, func(p Thing) bool {
		return p.Kind == ThingKindPerson && *p.User == "ann" && *p.Session == decimal(uint64(ann.Welcome().Session)) && p.Region == "ground-0"
	})
	cube := r.cube(ann)
	hand := lattice.Joint{Pos: lattice.Vec{X: -10 * lattice.Steps, Y: 1228, Z: 0}}
	head := lattice.Joint{Pos: lattice.Vec{X: -10 * lattice.Steps, Y: 1638, Z: 512}}
	ann.SetPose(lattice.Body{Head: head, Left: hand, Right: hand})
	w.shows(evil, func(p Thing) bool { return p.P[2] == 0.5 })
	if _, err := ann.Grab(cube, 1, hand); err != nil {
		t.Fatal(err)
	}
	w.shows("cube", func(c Thing) bool {
		return c.Holder != nil && *c.Holder == decimal(uint64(ann.Welcome().Entity)) && *c.Hand == ThingHandRight
	})
	w.until("a sample with ann", func(e sse) bool { return e.name == "sample" && strings.Contains(e.data, `"users":1`) })
	r.log.Info("line for the console")
	w.until("the line", func(e sse) bool { return e.name == "log" && strings.Contains(e.data, "line for the console") })
	ann.Close()
	w.until("ann is gone", func(sse) bool {
		for _, t := range w.things {
			if t.Name == evil {
				return false
			}
		}
		return true
	})
	w.shows("cube", func(c Thing) bool { return c.Holder == nil })
	again := r.watch()
	again.until("the map", func(e sse) bool { return e.name == "map" })
	if len(again.things) != len(w.things) {
		t.Errorf("a new reader sees %d things, an old one %d", len(again.things), len(w.things))
	}
}

// TestStreamsEnd: at the logout of their session, when it is over, and when the console stops.
func TestStreamsEnd(t *testing.T) {
	r := newRig(t, options{})
	first, second := r.login(), r.login()
	a, b, c := r.watch(first), r.watch(second), r.watch()
	for _, w := range []*watcher{a, b, c} {
		w.until("the map", func(e sse) bool { return e.name == "map" })
	}
	r.ask("POST", "/logout", "", "Authorization: ", first, "Origin: "+r.url)
	<-a.ended
	r.ahead(sessionLife)
	<-b.ended
	r.c.Stop(context.Background())
	<-c.ended
}

func TestTooManyStreams(t *testing.T) {
	r := newRig(t, options{})
	for range maxReaders {
		r.watch()
	}
	if res := r.ask("GET", "/live", ""); res.status != http.StatusServiceUnavailable || res.fault().Code != FaultCodeTooManyStreams {
		t.Errorf("%d %s", res.status, res.body)
	}
}

// TestSlowReaderIsClosed: one whose queue is full loses its stream, the others go on.
func TestSlowReaderIsClosed(t *testing.T) {
	r := newRig(t, options{})
	slow, good := r.c.watch(), r.watch()
	r.c.run(func() {
		for range readerQueue + 1 {
			if _, ok := r.c.readers[slow]; ok {
				r.c.hand(slow, []byte("event: sample\n\n"))
			}
		}
	})
	<-slow.lost
	r.c.unwatch(slow)
	good.until("a sample", func(e sse) bool { return e.name == "sample" })
	if n := r.c.openReaders.Load(); n != 1 {
		t.Errorf("%d readers are counted, want 1", n)
	}
}

// TestGapIsMended: records that were missed are made good by a key frame; what is back before anybody was told that it had gone
// is not gone.
func TestGapIsMended(t *testing.T) {
	r := newRig(t, options{})
	w := r.watch()
	w.shows("cube", func(Thing) bool { return true })
	r.c.run(func() {
		r.c.feeds[0].dec = stream.Decoder{} // as after a loss: it waits for a key frame
		for _, id := range slices.Clone(r.c.floor.order) {
			r.c.floor.remove(id)
		}
	})
	w.until("the cube to be told of again", func(e sse) bool {
		return e.name == "change" && strings.Contains(e.data, `"name":"cube"`) && !strings.Contains(e.data, `"gone":["`)
	})
	w.shows("cube", func(Thing) bool { return true })
}
