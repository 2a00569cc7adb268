package system

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// A crowd of honest visitors is watched while somebody in a process of its own does their worst, as fast as their connection carries it. Nothing
// here is measured by a clock: frames name the tick that they show, so an interval between two of them is a number of ticks, and what the server
// was too busy for shows as ticks that nobody got.

const (
	crowdSize = 50
	// spanFrames is over how many frames an interval is taken, since single ones waver by a tick with the phase of their client.
	spanFrames = 10
	// watched is how many frames each of the crowd gets while it is watched.
	watched = 60
	// watches is how often an attack is watched before it is held to do harm: other processes disturb the crowd too, but not every time,
	// and harm that an attack does shows every time.
	watches = 6
)

// crowd is honest visitors, who acknowledge each frame as it comes.
type crowd struct {
	*process.Server
	visitors []*client.Client

	mu    sync.Mutex
	ticks [][]uint64 // of the frames of each since it is watched
	want  int        // how many each is to get, 0: nobody watches
	short int        // how many have not got them yet
	seen  chan struct{}
}

func newCrowd(t *testing.T, s *process.Server) *crowd {
	t.Helper()
	c := &crowd{Server: s, ticks: make([][]uint64, crowdSize)}
	for i := range crowdSize {
		lane := client.LaneWS
		if i%2 == 0 {
			lane = client.LaneWebRTC
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		v, err := client.Dial(ctx, client.Options{
			URL: s.URL, Token: s.Token, User: fmt.Sprint("honest-", i), Lane: lane, EventQueue: 64,
			OnFrame: func(f *client.Frame) { c.frame(i, f.Tick) },
		})
		cancel()
		if err != nil {
			t.Fatalf("visitor %d cannot join: %v", i, err)
		}
		t.Cleanup(func() { v.Close() }) //nolint:errcheck // nothing is left to be lost
		c.visitors = append(c.visitors, v)
	}
	return c
}

func (c *crowd) frame(i int, tick uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.ticks[i]) >= c.want {
		return
	}
	c.ticks[i] = append(c.ticks[i], tick)
	if len(c.ticks[i]) == c.want {
		if c.short--; c.short == 0 {
			close(c.seen)
		}
	}
}

// interval watches until everyone has got their frames, and returns the 99th percentile of all intervals: the ticks that ten frames
// took.
func (c *crowd) interval(t *testing.T) int {
	t.Helper()
	c.mu.Lock()
	for i := range c.ticks {
		c.ticks[i] = c.ticks[i][:0]
	}
	c.want, c.short, c.seen = watched, crowdSize, make(chan struct{})
	seen := c.seen
	c.mu.Unlock()
	receive(t, seen, "frames for everyone")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want = 0
	var spans []int
	for _, ticks := range c.ticks {
		for i := spanFrames; i < len(ticks); i++ {
			spans = append(spans, int(ticks[i]-ticks[i-spanFrames]))
		}
	}
	slices.Sort(spans)
	return spans[len(spans)*99/100]
}

// attacks are the steps of each, repeated without rest.
var attacks = map[string]func(a *attacker, n int) error{
	"acknowledges what was never sent": func(a *attacker, n int) error {
		return a.sample(&wire.Pose{Seq: uint16(n), HasAck: true, AckSeq: 30000 + uint16(n), AckBits: ^uint32(0)})
	},
	"floods samples": func(a *attacker, n int) error {
		return a.sample(&wire.Pose{Seq: uint16(n), Stamp: ^uint32(0), Body: upright(lattice.Vec(a.greeting.P))})
	},
	"floods messages": func(a *attacker, n int) error {
		return a.event(fmt.Sprintf(`{"t":"msg","n":%d,"ts":1,"topic":"x"}`, n))
	},
	"floods what is no message": func(a *attacker, _ int) error { return a.event("{") },
}

func (a *attacker) sample(p *wire.Pose) error {
	b := wire.AppendPose(nil, p)
	if a.ws != nil {
		return a.ws.Write(a.t.Context(), websocket.MessageBinary, b)
	}
	return a.rtc.Pose(b)
}

// closing takes the events that came, and reports whether the server says goodbye.
func (a *attacker) closing() bool {
	for {
		select {
		case b := <-a.events:
			if d, err := wire.DecodeDown(b); err == nil && d.T == wire.DownClose {
				return true
			}
		default:
			return false
		}
	}
}

// enter joins as the enemy; nil when it is not let in, as a busy server does, and whoever is at the door too often.
func (s *siege) enter(t *testing.T, lane string) *attacker {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	a := &attacker{t: t}
	if lane == "ws" {
		conn, _, err := websocket.Dial(ctx, s.URL+"/v1/ws?user=enemy&token="+s.Token, nil) //nolint:bodyclose // there is none
		if err != nil {
			return nil
		}
		a.take(conn)
	} else {
		c := peertest.New(t, peertest.Options{Blocking: true})
		offer, err := c.Offer(false)
		if err != nil {
			t.Fatal(err)
		}
		status, _, answer := s.request(t, "POST", "/v1/rtc?user=enemy", s.Token, sdp, offer)
		if status != http.StatusCreated {
			c.PC.Close() //nolint:errcheck // it never was open
			return nil
		}
		if err := c.Answer(answer); err != nil {
			t.Fatal(err)
		}
		a.rtc, a.events = c, c.Events
	}
	for {
		switch d, err := wire.DecodeDown(receive(t, a.events, "a welcome, or why not")); {
		case err != nil:
			t.Fatal(err)
		case d.T == wire.DownWelcome:
			a.greeting = d.Welcome
			return a
		case d.T == wire.DownClose:
			a.leave()
			return nil
		}
	}
}

// leave ends the connection, which the server may have closed.
func (a *attacker) leave() {
	if a.rtc != nil {
		a.rtc.PC.Close() //nolint:errcheck // see above
		return
	}
	a.ws.CloseNow() //nolint:errcheck // see above
}

const (
	attackEnv = "VENUED_TEST_ATTACK" // by lines: which attack, the lane, the server's URL, a token
	swinging  = "the attack goes on"
)

// TestAttackerProcess is the attacker's process, who comes back whenever it is thrown out. Started as a test by itself it does nothing.
func TestAttackerProcess(t *testing.T) {
	env := os.Getenv(attackEnv)
	if env == "" {
		return
	}
	f := strings.Split(env, "\n")
	step, s := attacks[f[0]], &siege{Server: &process.Server{URL: f[2], Token: f[3]}}
	for total := 1; ; {
		a := s.enter(t, f[1])
		if a == nil {
			continue
		}
		for n := 1; !a.closing() && step(a, n) == nil; n++ {
			if total++; total == 1000 {
				fmt.Println(swinging)
			}
		}
		a.leave()
	}
}

// besiege starts the attacker's process and waits until it is at work.
func (c *crowd) besiege(t *testing.T, name, lane string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestAttackerProcess$", "-test.timeout=10m")
	cmd.Env = append(os.Environ(), attackEnv+"="+strings.Join([]string{name, lane, c.URL, c.Token}, "\n"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Who attacks has a machine of their own: they take the server no processor that it needs.
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, 19); err != nil {
		t.Error(err)
	}
	begun, ended := make(chan struct{}), make(chan struct{})
	var said strings.Builder
	go func() {
		defer close(ended)
		for sc := bufio.NewScanner(out); sc.Scan(); {
			if sc.Text() == swinging {
				close(begun)
				continue
			}
			said.WriteString(sc.Text() + "\n")
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill() //nolint:errcheck // it may have ended, which is told below
		<-ended
		cmd.Wait() //nolint:errcheck // it was killed
		if said.Len() > 0 {
			t.Errorf("the attacker gave up: %s", said.String())
		}
	})
	select {
	case <-begun:
	case <-ended:
		t.Fatal("the attacker ended before it began")
	}
	return cmd
}

// One hostile client among 50 honest ones, over both kinds of lane: whatever it does, nobody's frames come more than a tenth
// farther apart, and nobody else is closed.
func TestOneHostileAmongFifty(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("..", "..", "venue.example.toml"))
	c := newCrowd(t, s)
	least := c.interval(t)
	for range 2 {
		least = min(least, c.interval(t))
	}
	for _, name := range slices.Sorted(maps.Keys(attacks)) {
		for _, lane := range []string{"ws", "webrtc"} {
			t.Run(name+" over "+lane, func(t *testing.T) {
				cmd := c.besiege(t, name, lane)
				// Held against the best that there was, and where that fails, against what is there while the attacker is stopped.
				worst, quiet := 0, least
				for range watches {
					if worst = c.interval(t); worst*10 <= quiet*11 {
						t.Logf("ten frames take %d ticks, %d without the attack", worst, quiet)
						return
					}
					cmd.Process.Signal(syscall.SIGSTOP) //nolint:errcheck // it is there until the test's end
					quiet = max(quiet, c.interval(t))
					cmd.Process.Signal(syscall.SIGCONT) //nolint:errcheck // it is there until the test's end
					if worst*10 <= quiet*11 {
						t.Logf("ten frames take %d ticks, %d while the attacker is stopped", worst, quiet)
						return
					}
				}
				t.Errorf("ten frames take %d ticks, %d without the attack", worst, quiet)
			})
		}
	}
	for i, v := range c.visitors {
		if st := v.Stats(); st.Losses != 0 || st.FramesRefused != 0 {
			t.Errorf("visitor %d suffered: %+v", i, st)
		}
	}
}
