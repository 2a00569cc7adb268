package system

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

const (
	borderWalkers = 12
	borderLaps    = 2 // there and back
)

// walker walks up and down the hall, over both borders, by server time.
type walker struct {
	*client.Client
	from  int64 // server time at which it set out, us
	frame chan struct{}
	z     float64
}

const (
	walkSpeed = 1.5 // m/s
	westEnd   = 3.0
	eastEnd   = 21.0
)

// sight is up to where the watcher sees everybody: cells of 5 m, and those beside its own.
const sight = 13.0

// lap is how long it takes there and back, us.
const lap = int64(2 * (eastEnd - westEnd) / walkSpeed * 1e6)

// at is where the walker's head is at a server time.
func (w *walker) at(us int64) lattice.Vec {
	x := eastEnd - math.Abs(eastEnd-westEnd-math.Mod(float64(max(0, us-w.from))*walkSpeed/1e6, 2*(eastEnd-westEnd)))
	v, _ := lattice.VecFromMetres(x, 1.6, w.z)
	return v
}

// spectator stands still and notes how others are seen to move.
type spectator struct {
	mu    sync.Mutex
	tick  map[uint64]uint64      // of the newest state of each entity
	place map[uint64]lattice.Vec // of it
	gaps  map[string][]uint64    // ticks between two places of somebody who walks, by whether it was close to a border
	jumps []string
	over  bool // everybody has arrived, and may go
}

func (s *spectator) look(f *client.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	for _, r := range f.Records {
		id := r.Info.ID
		switch {
		case r.Op == wire.OpLeave:
			if x, _, _ := s.place[id].Metres(); x < sight && s.tick[id] != 0 {
				s.jumps = append(s.jumps, fmt.Sprintf("%d go out of sight at x = %.2f", id, x))
			}
			delete(s.tick, id)
			delete(s.place, id)
			continue
		case r.Info.Kind != 1:
			continue
		}
		p := r.State.Body.Head.Pos
		old, seen := s.place[id]
		if last, has := s.tick[id]; has && seen && p != old {
			gap := f.Tick - last
			x, _, _ := p.Metres()
			where := "inside"
			if math.Abs(x-8) < 3 || math.Abs(x-16) < 3 {
				where = "border"
			}
			s.gaps[where] = append(s.gaps[where], gap)
			if d := p.Dist(old); d > 2*lattice.Steps+int64(gap)*lattice.Steps/5 {
				s.jumps = append(s.jumps, fmt.Sprintf("%d by %.2f m within %d ticks", id, float64(d)/lattice.Steps, gap))
			}
		}
		if p != old || !seen {
			s.tick[id] = f.Tick
		}
		s.place[id] = p
	}
}

// TestWalkingOverBorders: people walk through a hall of three regions, over both borders and back, some with a ball in the hand, and go on
// asking for things. Nobody loses their visit, nobody who is near sees anybody go, come back or jump, what is in a hand stays there, and every request is
// decided once.
func TestWalkingOverBorders(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("testdata", "borders.toml"))
	seen := &spectator{tick: map[uint64]uint64{}, place: map[uint64]lattice.Vec{}, gaps: map[string][]uint64{}}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	dial := func(opts client.Options) *client.Client {
		t.Helper()
		opts.URL, opts.Token, opts.EventQueue = s.URL, s.Token, 4096
		c, err := client.Dial(ctx, opts)
		if err != nil {
			t.Fatalf("%s cannot join: %v", opts.User, err)
		}
		t.Cleanup(func() { c.Close() }) //nolint:errcheck // nothing is left to be lost
		return c
	}
	var walkers []*walker
	for i := range borderWalkers {
		w := &walker{frame: make(chan struct{}, 1), z: 2 + float64((i+6)%borderWalkers)/3}
		lane := client.LaneWS
		if i%3 == 0 {
			lane = client.LaneWebRTC
		}
		w.Client = dial(client.Options{User: fmt.Sprint("walker-", i), Lane: lane, OnFrame: func(*client.Frame) {
			select {
			case w.frame <- struct{}{}:
			default:
			}
		}})
		w.from = w.ServerTime() + 500_000
		walkers = append(walkers, w)
	}
	var all sync.WaitGroup
	for i, w := range walkers {
		all.Go(func() {
			if err := w.walk(ctx, i); err != nil {
				t.Errorf("walker %d: %v", i, err)
			}
		})
	}
	// The watcher stands on the first border.
	var once sync.Once
	var watcher *client.Client
	stand := make(chan struct{})
	watcher = dial(client.Options{User: "watcher", OnFrame: func(f *client.Frame) {
		once.Do(func() { close(stand) })
		seen.look(f)
	}})
	<-stand
	border, _ := lattice.VecFromMetres(8, 1.6, 4)
	watcher.SetPose(lattice.Body{Head: lattice.Joint{Pos: border}, Left: lattice.Joint{Pos: border}, Right: lattice.Joint{Pos: border}})
	all.Wait()
	if t.Failed() {
		return
	}
	seen.mu.Lock()
	seen.over = true
	seen.mu.Unlock()
	for _, w := range walkers {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	seen.mu.Lock()
	for _, jump := range seen.jumps {
		t.Errorf("the watcher saw %s", jump)
	}
	for where, gaps := range seen.gaps {
		long := 0
		for _, gap := range gaps {
			if gap > 3 {
				long++
			}
		}
		t.Logf("%s: %d of %d updates (%.2f %%) came more than 3 ticks after the one before", where, long, len(gaps), 100*float64(long)/float64(len(gaps)))
	}
	seen.mu.Unlock()
	_, metrics := get(t, s.Metrics+"/metrics")
	for _, line := range strings.Split(metrics, "\n") {
		if strings.HasPrefix(line, "venued_gateway_handovers_total ") {
			t.Log(line)
			var n float64
			fmt.Sscan(strings.TrimPrefix(line, "venued_gateway_handovers_total "), &n)
			if least := float64(borderWalkers * borderLaps * 4); n < least {
				t.Errorf("%v hand-overs, every walker crossed four borders a lap: want at least %v", n, least)
			}
		}
	}
}

// walk walks the laps; the first walker carries the ball.
func (w *walker) walk(ctx context.Context, i int) error {
	own := uint64(w.Welcome().Entity)
	var ball uint64
	say := 0
	for {
		select {
		case <-w.frame:
		case <-w.Done():
			return fmt.Errorf("the visit ended: %w", w.Err())
		case <-ctx.Done():
			return fmt.Errorf("not there in time: %w", ctx.Err())
		}
		now := w.ServerTime()
		p := w.at(now)
		hand := lattice.Joint{Pos: p.Add(lattice.Vec{X: lattice.Steps / 4, Y: -lattice.Steps / 2})}
		w.SetPose(lattice.Body{Head: lattice.Joint{Pos: p}, Left: lattice.Joint{Pos: p.Sub(lattice.Vec{Y: lattice.Steps / 2})}, Right: hand})
		if i == 0 {
			for _, e := range w.Entities() {
				if e.Info.Name != "ball-1" {
					continue
				}
				switch held := e.State.Holder == own; {
				case ball == 0 && e.State.Body.Head.Pos.Dist(hand.Pos) < lattice.Steps*3/4:
					r, err := w.Grab(e.Info.ID, right, hand)
					if err != nil {
						return err
					}
					out, err := r.Applied(ctx)
					if err != nil {
						return fmt.Errorf("the ball is not decided about: %w", err)
					}
					if out.OK { // else the region has not got the hand there yet: again with the next frame
						ball = e.Info.ID
					}
				case ball != 0 && !held && now > w.from+3_000_000:
					return fmt.Errorf("at %v the ball is out of the hand: held by %d", p, e.State.Holder)
				}
			}
		}
		if n := int((now - w.from) / 400_000); n > say {
			say = n
			r, err := w.Message("hello", json.RawMessage(`{"n":1}`))
			if err != nil {
				return err
			}
			// One after another: each is decided before the next is sent, in whichever region the walker is by then.
			if out, err := r.Applied(ctx); err != nil || !out.OK {
				return fmt.Errorf("message %d: %+v, %v", n, out, err)
			}
		}
		if now > w.from+borderLaps*lap {
			if i == 0 && ball == 0 {
				return fmt.Errorf("never came near the ball")
			}
			return nil
		}
	}
}
