package scene

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// pairOfHalls is two neighbouring regions over a bus and a store that lose nothing.
type pairOfHalls struct {
	t     *testing.T
	halls [2]*Region
	tick  uint64
	mail  [2][]stream.Input
	pose  uint16
	last  [2]*Effects
	said  [2][]string // Refused
}

func newPair(t *testing.T, rules ...Rule) *pairOfHalls {
	p := &pairOfHalls{t: t}
	v := halls(t)
	for i := range p.halls {
		rule := Rule(keeperRule())
		if len(rules) > 0 {
			rule = rules[i]
		}
		r, err := New(Config{Venue: v, Region: i, Epoch: 1, IDBlock: uint32(i + 1), Rules: []Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		p.halls[i] = r
	}
	return p
}

// step makes a tick of both, with inputs for the first.
func (p *pairOfHalls) step(in ...stream.Input) {
	p.tick++
	mail := p.mail
	p.mail = [2][]stream.Input{}
	for i, r := range p.halls {
		batch := mail[i]
		if i == 0 {
			batch = append(batch, in...)
		}
		if tick := r.Unreleased(); tick > 0 {
			batch = append(batch, stream.Input{Kind: stream.InputDurable, Object: tick})
		}
		fx := r.Step(p.tick, batch)
		p.last[i] = fx
		p.said[i] = append(p.said[i], fx.Refused...)
		for k := range fx.Out {
			m := fx.Out[k]
			if n := slices.Index([]string{"hall-0", "hall-10"}, m.To); n >= 0 {
				p.mail[n] = append(p.mail[n], stream.Input{Kind: stream.InputRegion, Region: &m})
			}
		}
		for _, h := range fx.Heard {
			p.mail[1-i] = append(p.mail[1-i], stream.Input{Kind: stream.InputRegionAck, Region: &h})
		}
	}
}

// walk is a pose of a session at x.
func (p *pairOfHalls) walk(session uint64, x float64) stream.Input {
	p.pose++
	at, _ := lattice.VecFromMetres(x, 1, 5)
	return stream.Input{Kind: stream.InputPose, Session: session, PoseSeq: p.pose, Body: standing(lattice.Joint{Pos: at})}
}

// enter is a join at x.
func enter(session uint64, user string, x float64) stream.Input {
	in := join(session, user)
	in.HasPlace = true
	in.Body.Head.Pos, _ = lattice.VecFromMetres(x, 1, 5)
	return in
}

func (p *pairOfHalls) where(session uint64) int {
	at := -1
	for i, r := range p.halls {
		if r.sessions[session] != nil {
			at = i
		}
	}
	return at
}

func (p *pairOfHalls) want(session uint64, region int) {
	p.t.Helper()
	if got := p.where(session); got != region {
		p.t.Fatalf("tick %d: session %d is in region %d, want %d", p.tick, session, got, region)
	}
}

// TestHysteresis: less than a metre over the border, or less than a second, changes nothing.
func TestHysteresis(t *testing.T) {
	p := newPair(t)
	p.step(enter(1, "ada", 9.5))
	for range 50 {
		p.step(p.walk(1, 10.9))
	}
	p.want(1, 0)
	for range 8 {
		p.step(p.walk(1, 11.2))
	}
	for range 30 {
		p.step(p.walk(1, 10.9))
	}
	p.want(1, 0)
	for range 14 {
		p.step(p.walk(1, 11.2))
	}
	p.want(1, 1)
	for _, e := range p.halls[1].Key().Entities {
		if e.Session == 1 && (e.Hops != 1 || e.ID>>32 != 1) {
			t.Errorf("it arrived as %+v", e)
		}
	}
}

// TestTeleportOverABorder: who is put there by a rule goes at once.
func TestTeleportOverABorder(t *testing.T) {
	p := newPair(t)
	p.step(enter(1, "ada", 5))
	x := say(1, 1, "teleport")
	x.Data = []byte(`{"X":10.5,"Y":1,"Z":5}`)
	p.step(x)
	for range 3 {
		p.step()
	}
	p.want(1, 1)
	if n := len(p.halls[0].flights) + len(p.halls[0].saved.Sent); n > 0 {
		p.step()
		if n := len(p.halls[0].flights) + len(p.halls[0].saved.Sent); n > 0 {
			t.Errorf("%d messages are still kept", n)
		}
	}
}

// TestGroupsStayTogether: two who are near each other, one with a cup in the hand, go when both are over the border; who walks off goes alone.
func TestGroupsStayTogether(t *testing.T) {
	p := newPair(t)
	p.step(enter(1, "ada", 5), enter(2, "bob", 5))
	cup := p.halls[0].objects[0]
	grab := stream.Input{Kind: stream.InputGrab, Session: 1, Seq: 1, Object: cup.ID, Hand: 1, HandAt: lattice.Joint{Pos: cup.pos()}}
	p.step(grab)
	for range 10 {
		p.step()
	}
	if cup.holder == nil {
		t.Fatal("nobody holds the cup")
	}
	for x := 5.0; x < 9.8; x += 0.2 {
		p.step(p.walk(1, x), p.walk(2, x))
	}
	for range 40 {
		p.step(p.walk(1, 11.1), p.walk(2, 9.8))
	}
	p.want(1, 0)
	for range 6 {
		p.step(p.walk(1, 11.1), p.walk(2, 10.2))
	}
	p.want(1, 1)
	p.want(2, 1)
	if len(p.halls[0].objects) != 0 || len(p.halls[1].objects) != 2 {
		t.Errorf("%d and %d cups", len(p.halls[0].objects), len(p.halls[1].objects))
	}
	p = newPair(t)
	p.step(enter(1, "ada", 9), enter(2, "bob", 9))
	for range 20 {
		p.step(p.walk(1, 12), p.walk(2, 9))
	}
	p.want(1, 1)
	p.want(2, 0)
}

// TestArrivals: a full region takes in who comes on foot; of two visits of one person the one that joined later stays.
func TestArrivals(t *testing.T) {
	p := newPair(t)
	p.step(enter(1, "ada", 9), enter(2, "bob", 9))
	p.halls[1].venue.Limits.Users = 1
	p.mail[1] = append(p.mail[1], enter(3, "cy", 15), enter(4, "bob", 15))
	p.step()
	if p.where(3) != 1 || p.where(4) >= 0 {
		t.Fatal("the limit of people does not hold for those who join")
	}
	p.halls[1].venue.Limits.Users = 2
	p.mail[1] = append(p.mail[1], enter(4, "bob", 15))
	for range 20 {
		p.step(p.walk(1, 12), p.walk(2, 12))
	}
	p.want(1, 1)
	p.want(2, -1)
	p.want(4, 1)
	if who := p.halls[1].people[saved.Person{User: "bob"}]; who == nil || who.Session != 4 || len(p.halls[1].users) != 3 {
		t.Errorf("%d people in the second region, bob is %+v", len(p.halls[1].users), who)
	}
}

// TestSchemasDiffer: what a rule keeps in a layout that the other region's module does not have is waited for, then left behind; the person comes.
func TestSchemasDiffer(t *testing.T) {
	newer := keeperRule()
	newer.manifest.Schema = 2
	p := newPair(t, keeperRule(), newer)
	p.step(enter(1, "ada", 9))
	p.step(say(1, 1, "hello"))
	for range 30 {
		p.step(p.walk(1, 12))
	}
	p.want(1, -1)
	if len(p.said[1]) == 0 || !strings.Contains(p.said[1][0], "run one version of it in all regions") {
		t.Fatalf("it says %q", p.said[1])
	}
	for range 80 {
		p.step(p.walk(1, 12))
	}
	p.want(1, 1)
	if last := p.said[1][len(p.said[1])-1]; !strings.Contains(last, "1 keys of rule keeper") {
		t.Errorf("it says %q", last)
	}
	if u := p.halls[1].sessions[1]; u.cursor != 1 || !u.away {
		t.Errorf("it came as %+v", u)
	}
	if n := len(p.halls[1].rules[0].stored.Of(saved.Person{User: "ada"})); n != 0 {
		t.Errorf("%d keys came along", n)
	}
}

// TestHandoversThatCannotBe are refused with the reason, and not acknowledged: whoever sent them keeps the people.
func TestHandoversThatCannotBe(t *testing.T) {
	p := newPair(t)
	p.step(enter(1, "ada", 5))
	id := p.halls[0].users[0].ID
	for _, c := range []struct{ data, want string }{
		{"", "not readable"},
		{`{"tick":1,"users":[{"session":0,"id":1}]}`, "session 0"},
		{fmt.Sprintf(`{"tick":1,"users":[{"session":9,"id":%d,"user":"x","state":{}}]}`, id), "is here already"},
		{`{"tick":1,"users":[],"objects":[{"id":77,"name":"cup-0"}]}`, "as another entity"},
		{`{"tick":1,"users":[],"objects":[{"id":77,"name":"lamp"}]}`, `no object "lamp"`},
	} {
		p.step(stream.Input{Kind: stream.InputRegion, Region: &stream.RegionMessage{
			From: "hall-10", To: "hall-0", At: stream.RegionPoint{Epoch: 1, N: 1}, Kind: stream.RegionHandover, Data: []byte(c.data),
		}})
		if fx := p.last[0]; len(fx.Refused) != 1 || !strings.Contains(fx.Refused[0], c.want) || len(fx.Heard) > 0 || fx.Stats.Arrived > 0 {
			t.Errorf("%s: refused %q, heard %v; want %q", c.data, fx.Refused, fx.Heard, c.want)
		}
	}
	if _, err := json.Marshal(p.halls[0].Key()); err != nil || len(p.halls[0].users) != 1 {
		t.Error("something came in")
	}
}
