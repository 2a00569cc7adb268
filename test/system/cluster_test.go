package system

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// town is a cluster on one machine, of processes with one role each.
type town struct {
	t      *testing.T
	redis  *process.RedisServer
	config string
	data   map[string]string
	nodes  map[string]*process.Server
	gate   *process.Server
}

// clusterConfig writes the arena with a key that all processes have, and returns its path and the key's.
func clusterConfig(t *testing.T) (config, key string) {
	t.Helper()
	dir := t.TempDir()
	key = filepath.Join(dir, "venue.key")
	command(t, "key", key)
	arena, err := os.ReadFile(filepath.Join("testdata", "arena.toml"))
	if err != nil {
		t.Fatal(err)
	}
	config = filepath.Join(dir, "arena.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "%s\n[tokens]\nkey_file = %q\n", arena, key), 0o600); err != nil {
		t.Fatal(err)
	}
	return config, key
}

func newTown(t *testing.T, nodes ...string) *town {
	t.Helper()
	c := &town{t: t, redis: process.Redis(t), data: map[string]string{}, nodes: map[string]*process.Server{}}
	var key string
	c.config, key = clusterConfig(t)
	for _, n := range nodes {
		c.node(n)
	}
	c.gate = process.Serve(t, "", c.config, "--redis", c.redis.URL, "--name", "gate", "--roles", "gateway")
	c.gate.Token = command(t, "token", "--key", key, "--venue", venueID, "--user", "anybody", "--many")
	return c
}

// node starts a node, or starts it again where its data is.
func (c *town) node(name string) {
	c.t.Helper()
	if c.data[name] == "" {
		c.data[name] = c.t.TempDir()
	}
	c.nodes[name] = process.Serve(c.t, c.data[name], c.config, "--redis", c.redis.URL, "--name", name, "--roles", "node")
}

// ticks returns how many regions a node says it runs.
func (c *town) runs(name string) bool {
	_, body := get(c.t, c.nodes[name].Metrics+"/metrics")
	return strings.Contains(body, `venued_region_up{region="ground"} 1`)
}

// owner returns the node that runs the only region.
func (c *town) owner(except string) string {
	for name := range c.nodes {
		if name != except && c.runs(name) {
			return name
		}
	}
	return ""
}

// still asserts that visitors lost nothing but time: the same connection, the ball in the same hand, messages decided.
func (c *town) still(what string, ball uint64, holder *visitor, all ...*visitor) {
	c.t.Helper()
	for _, v := range all {
		if out := v.outcome(v.Message("still", json.RawMessage(`"here"`))); !out.OK {
			c.t.Errorf("%s: %s: a message was answered %+v", what, v.Welcome().User, out)
		}
		v.await("the ball in its holder's hand", func() bool {
			e, ok := v.Entity(ball)
			return ok && e.State.Holder == uint64(holder.Welcome().Entity)
		})
		if st := v.Stats(); st.Losses != 0 || st.Connects != 1 || st.FramesRefused != 0 || st.EventsMalformed != 0 {
			c.t.Errorf("%s: %s suffered: %+v", what, v.Welcome().User, st)
		}
	}
}

// A node is killed, and one is stopped and goes on later: visitors stay connected at their gateway, what they were told is durable is so, and whoever
// comes back late changes nothing.
func TestNodesDie(t *testing.T) {
	c := newTown(t, "n1", "n2")
	holder := visit(t, c.gate, c.gate.URL, "holder", client.LaneWebRTC)
	witness := visit(t, c.gate, c.gate.URL, "witness", client.LaneWS)
	ball := carried(t, holder, "ball-1")
	c.still("before", ball, holder, holder, witness)

	first := c.owner("")
	if first == "" {
		t.Fatal("no node runs the region")
	}
	c.nodes[first].Kill()
	dead := first
	delete(c.nodes, first)
	c.still("after kill -9", ball, holder, holder, witness)
	second := c.owner("")
	if second == "" {
		t.Fatal("no node runs the region after kill -9")
	}

	c.node(dead)
	c.nodes[second].Signal(syscall.SIGSTOP)
	c.still("after SIGSTOP", ball, holder, holder, witness)
	if !c.runs(dead) {
		t.Error("the node that came back does not run the region")
	}
	c.nodes[second].Signal(syscall.SIGCONT)
	holder.await("the late one to give up", func() bool { return !c.runs(second) })
	c.still("after SIGCONT", ball, holder, holder, witness)
	r, err := holder.Release(ball, right, at(holder.object("ball-1").State.Body.Head.Pos))
	if out := holder.outcome(r, err); !out.OK {
		t.Errorf("release: %+v", out)
	}
	durable(t, r)
	for name, s := range c.nodes {
		if code := s.Stop(); code != 0 {
			t.Errorf("%s ended with code %d after SIGTERM", name, code)
		}
	}
}

// While Redis does not answer play goes on, and nothing is called durable; afterwards everything is.
func TestRedisIsAway(t *testing.T) {
	c := newTown(t, "n1")
	holder := visit(t, c.gate, c.gate.URL, "holder", client.LaneWebRTC)
	ball := carried(t, holder, "ball-1")
	c.redis.Signal(syscall.SIGSTOP)
	var late []*client.Request
	for range 20 {
		o := holder.object("ball-2")
		hand := at(o.State.Body.Head.Pos)
		r, err := holder.Grab(o.Info.ID, right-1, hand)
		out := holder.outcome(r, err)
		late = append(late, r)
		if out.OK {
			r, err = holder.Release(o.Info.ID, right-1, hand)
			if out := holder.outcome(r, err); !out.OK {
				t.Errorf("release while Redis is away: %+v", out)
			}
			late = append(late, r)
		}
	}
	c.still("without Redis", ball, holder, holder)
	c.redis.Signal(syscall.SIGCONT)
	for _, r := range late {
		durable(t, r)
	}
	c.still("with Redis again", ball, holder, holder)
}

// Redis without an append-only file loses what it acknowledged: nobody is told that anything is durable.
func TestNothingIsDurableWithoutAFile(t *testing.T) {
	redis := process.Redis(t, "--appendonly", "no")
	config, key := clusterConfig(t)
	s := process.Serve(t, "", config, "--redis", redis.URL)
	s.Token = command(t, "token", "--key", key, "--venue", venueID, "--user", "anybody", "--many")
	if out := s.Output(); !strings.Contains(out, "nothing is called durable: set appendonly yes") {
		t.Error("the log does not say what is wrong with Redis")
	}
	v := visit(t, s, s.URL, "holder", client.LaneWS)
	o := v.object("ball-1")
	r, err := v.Grab(o.Info.ID, right, at(o.State.Body.Head.Pos))
	if out := v.outcome(r, err); !out.OK {
		t.Fatalf("grab: %+v", out)
	}
	v.settled() // a second of frames, in which it would have been said
	for {
		select {
		case e := <-v.Events():
			if e.T == wire.DownDurable {
				t.Errorf("something is called durable: %+v", e.Down)
			}
			continue
		default:
		}
		break
	}
}

// Processes that do not belong together are told so, and nothing of those that are there changes.
func TestProcessesThatDoNotFit(t *testing.T) {
	redis := process.Redis(t)
	config, _ := clusterConfig(t)
	process.Serve(t, "", config, "--redis", redis.URL, "--name", "first")
	other, _ := clusterConfig(t) // with a key of its own
	serve := func(config string, more ...string) (string, int) {
		args := append([]string{"serve", config, "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--data", t.TempDir()}, more...)
		out, errs, code := process.Run(t, args...)
		return out + errs, code
	}
	for what, c := range map[string]struct {
		config string
		args   []string
		word   string
	}{
		"another key":      {other, []string{"--redis", redis.URL, "--name", "second"}, "has another key ([tokens] key_file)"},
		"the name again":   {config, []string{"--redis", redis.URL, "--name", "first"}, "another process of this name is there"},
		"no Redis":         {config, []string{"--redis", "unix://" + filepath.Join(t.TempDir(), "none.sock"), "--name", "third"}, "[store] redis or --redis"},
		"not an address":   {config, []string{"--redis", "localhost"}, "is not the address of a Redis"},
		"an unknown role":  {config, []string{"--redis", redis.URL, "--roles", "nod"}, `"nod" is not a role`},
		"a role by itself": {config, []string{"--roles", "node"}, "a cluster needs Redis"},
	} {
		out, code := serve(c.config, c.args...)
		if code == 0 || !strings.Contains(out, c.word) {
			t.Errorf("%s: code %d, want %q in:\n%s", what, code, c.word, out)
		}
	}
}

// `venued cluster`: two visitors at two gateways see each other, one of the processes may die, and Ctrl-C ends all of them.
func TestClusterOnOneMachine(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), process.Binary(t), "cluster", filepath.Join("testdata", "arena.toml"),
		"--nodes", "2", "--gateways", "2", "--data", dir, "--listen", "127.0.0.1:"+freePorts(t, 13))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var joins []*url.URL
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "ready" {
		if link, ok := strings.CutPrefix(lines.Text(), "join "); ok {
			u, err := url.Parse(strings.TrimSpace(link))
			if err != nil {
				t.Fatal(err)
			}
			joins = append(joins, u)
		}
	}
	if len(joins) != 2 {
		cmd.Process.Kill() //nolint:errcheck // the test has failed
		t.Fatalf("%d join links; %v\n%s", len(joins), cmd.Wait(), errs.String())
	}
	var who []*visitor
	for i, u := range joins {
		q, err := url.ParseQuery(u.Fragment)
		if err != nil {
			t.Fatal(err)
		}
		who = append(who, visit(t, &process.Server{Token: q.Get("token")}, "http://"+u.Host, fmt.Sprint("guest-", i), client.LaneWebRTC))
	}
	for _, v := range who {
		v.SetPose(v.body(lattice.Vec(v.Welcome().P)))
	}
	for i, v := range who {
		v.await("the other", func() bool { _, ok := v.Entity(uint64(who[1-i].Welcome().Entity)); return ok })
	}
	for _, v := range who {
		v.Close() //nolint:errcheck // done with it
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for lines.Scan() {
		}
	}()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-drained
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, errs.String())
	}
}

// freePorts returns the first of some ports in a row that were free a moment ago.
func freePorts(t *testing.T, n int) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		first := l.Addr().(*net.TCPAddr).Port
		free := first+n < 65535
		for p := first; free && p < first+n; p++ {
			l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", p))
			if free = err == nil; free {
				l.Close()
			}
		}
		if free {
			return strconv.Itoa(first)
		}
	}
	t.Fatal("no ports are free")
	return ""
}
