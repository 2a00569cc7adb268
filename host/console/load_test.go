package console

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/lattice"
	client "github.com/venued/venued/sdk/go"
)

// production is all that a reader of a venue's data of people can see of a person.
type production struct {
	Boards, Words string // as the API gives them
	Place         store.UserPlace
	Has           bool
}

func (r *rig) production(user string) (p production) {
	r.t.Helper()
	p.Boards = string(r.call("GET", "/boards", "").body)
	p.Words = string(r.call("GET", "/boards/{board}", "", "words").body)
	var err error
	if p.Place, p.Has, err = r.db.Place(context.Background(), "hall", store.PartitionMain, user); err != nil {
		r.t.Fatal(err)
	}
	return p
}

// stroll has a visitor go to x along a line, say something so many times, and leave, and waits until the store has the last place: the one
// that is written when somebody leaves. Nobody who stands still writes any other.
func (r *rig) stroll(c *client.Client, x float64, words int, partition, user string) {
	r.t.Helper()
	body := lattice.Body{}
	head := lattice.Vec(c.Welcome().P)
	goal, err := lattice.FromMetres(x)
	if err != nil {
		r.t.Fatal(err)
	}
	for range words {
		q, err := c.Message("hello", json.RawMessage(`{}`))
		if err != nil {
			r.t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		out, err := q.Applied(ctx)
		if err == nil {
			err = q.Durable(ctx)
		}
		cancel()
		if err != nil || !out.OK {
			r.t.Fatalf("a message of %s: %+v, %v", user, out, err)
		}
	}
	step := time.NewTicker(20 * time.Millisecond)
	defer step.Stop()
	limit := time.After(patience)
	for {
		d := goal - head.X
		head.X += min(max(d, -20), 20)
		for _, j := range []*lattice.Joint{&body.Head, &body.Left, &body.Right} {
			j.Pos, j.Rot = head, lattice.Rot{Largest: 3}
		}
		c.SetPose(body)
		p, has, err := r.db.Place(context.Background(), "hall", partition, user)
		if err != nil {
			r.t.Fatal(err)
		}
		if has && p.At.Pos.X == goal && d == 0 {
			break
		}
		select {
		case <-step.C:
		case <-limit:
			r.t.Fatalf("the place of %s is %+v after %v, want x = %v", user, p, patience, x)
		}
	}
	here := uint64(0)
	for _, s := range r.node.Status() {
		here = max(here, s.Tick)
	}
	if err := c.Close(); err != nil {
		r.t.Fatal(err)
	}
	r.until(user+" to be gone, and the last place stored", func() bool {
		p, _, err := r.db.Place(context.Background(), "hall", partition, user)
		if err != nil {
			r.t.Fatal(err)
		}
		return p.Tick > here && len(into[Clients](r, r.call("GET", "/clients", "")).Clients) == 0
	})
}

// TestNothingOfABotIsSeenWherePeopleAreRead: a person and then a bot with the very same id walk and score, through gateway, node and store. What
// production readers see does not change by the bot, nor by the removal of what it left; and the bot's own place and points are gone then.
func TestNothingOfABotIsSeenWherePeopleAreRead(t *testing.T) {
	r := newRig(t, options{})
	r.stroll(r.visit("ann", "Ann"), -9, 2, store.PartitionMain, "ann")
	before := r.production("ann")
	if !before.Has || before.Words != `{"board":"words","top":[{"points":2,"user":"ann"}],"users":1}`+"\n" {
		t.Fatalf("before the bot came: %+v", before)
	}
	bot := r.visitAs(r.loadLink, "ann", "Ann")
	if at, home := lattice.Vec(bot.Welcome().P), before.Place.At.Pos; at == home {
		t.Errorf("the bot came in where the person with its id was last: %v", at)
	}
	r.stroll(bot, -12, 3, store.PartitionLoad, "ann")
	if after := r.production("ann"); !cmp.Equal(before, after) {
		t.Errorf("the bot changed what is read of people:\n%s", cmp.Diff(before, after))
	}
	if b := into[Board](r, r.call("GET", "/boards/{board}?load=true", "", "words")); b.Users != 1 || b.Top[0] != (Total{User: "ann", Points: 3}) {
		t.Errorf("the bots' board is %+v", b)
	}
	if n := into[LoadCleared](r, r.call("DELETE", "/load", "")); n != (LoadCleared{Places: 1, Boards: 1, Totals: 1}) {
		t.Errorf("cleared: %+v", n)
	}
	if after := r.production("ann"); !cmp.Equal(before, after) {
		t.Errorf("the clearing changed what is read of people:\n%s", cmp.Diff(before, after))
	}
	if b := into[Boards](r, r.call("GET", "/boards?load=true", "")); len(b.Boards) != 0 {
		t.Errorf("the bots' boards after the clearing: %+v", b)
	}
	if _, has, err := r.db.Place(t.Context(), "hall", store.PartitionLoad, "ann"); has || err != nil {
		t.Errorf("the bot's place after the clearing: %v, %v", has, err)
	}
	if n := into[LoadCleared](r, r.call("DELETE", "/load", "")); n != (LoadCleared{}) {
		t.Errorf("cleared at the second time: %+v", n)
	}
	r.visitAs(r.loadLink, "ben", "Ben")
	r.until("the bot to be seen", func() bool {
		n := into[LoadCleared](r, r.call("DELETE", "/load", ""))
		return n.Here == 1
	})
}
