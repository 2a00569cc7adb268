package scene

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// probe starts a region whose only rule does what play says at every message, and joins Ada in it.
func probe(t *testing.T, play func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error)) *world {
	fresh := func() []Rule {
		return []Rule{newTwin("probe", []string{"message", "timer"}, []string{"objects", "users", "doors", "zones"}, play), nil}
	}
	w := &world{t: t, venue: hall(t, 0, 8), fresh: fresh, rules: fresh(), block: 1}
	r, err := New(w.config())
	if err != nil {
		t.Fatal(err)
	}
	w.region = r
	w.step(join(1, "ada"))
	return w
}

func join(session uint64, user string) stream.Input {
	return stream.Input{Kind: stream.InputJoin, Session: session, User: user, Name: user}
}

func say(session uint64, seq uint32, topic string) stream.Input {
	return stream.Input{Kind: stream.InputMessage, Session: session, Seq: seq, Topic: topic}
}

// TestStateLimit fills a rule's state: the state of people who left makes room, the one longest gone
// first; when there is nobody left to forget, writes are refused.
func TestStateLimit(t *testing.T) {
	var codes []int
	big := make([]byte, abi.MaxValue)
	key := "k"
	w := probe(t, func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
		for _, e := range b.Events {
			for i := range 4 {
				codes = append(codes, kv.Put(abi.ScopeUser, e.Subject, fmt.Sprint(key, i), big))
			}
		}
		return nil, nil
	})
	// Four keys of 16 KiB (and their names) for each: three people fit into 256 KiB.
	for s := uint64(2); s <= 6; s++ {
		w.step(join(s, fmt.Sprint("user", s)))
		w.step(say(s, 1, "fill"))
		w.step(stream.Input{Kind: stream.InputLeave, Session: s})
		checkSaved(t, w.region)
	}
	for i, code := range codes {
		if code != 0 {
			t.Fatalf("write %d: code %d", i, code)
		}
	}
	stored := w.region.rules[0].stored
	for s, want := range map[int]int{2: 0, 3: 0, 4: 4, 5: 4, 6: 4} {
		if got := len(stored.Of(saved.Person{User: fmt.Sprint("user", s)})); got != want {
			t.Errorf("user%d has %d keys left, want %d", s, got, want)
		}
	}
	// Ada is here: what she has stays until it is full.
	key = "a"
	w.step(say(1, 1, "fill"))
	key = "b"
	w.step(say(1, 2, "fill"))
	key = "c"
	w.step(say(1, 3, "fill"))
	key = "d"
	w.step(say(1, 4, "fill"))
	if stored.Size() > abi.MaxState {
		t.Fatalf("%d bytes of state", stored.Size())
	}
	if last := codes[len(codes)-1]; last != abi.KVTooLarge {
		t.Fatalf("codes %v: want the last write refused", codes)
	}
	if stored.People() != 1 {
		t.Fatalf("%d people have state: those who left kept theirs", stored.People())
	}
	checkSaved(t, w.region)
	w.crash()
}

// TestEndlessWrites: a guest that writes and deletes on and on makes neither the step's changes nor the log grow without end.
func TestEndlessWrites(t *testing.T) {
	refused := 0
	w := probe(t, func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
		for i := range 4 * maxWrites {
			key := fmt.Sprint(i)
			if kv.Put(abi.ScopeRegion, 0, key, nil) != 0 || kv.Del(abi.ScopeRegion, 0, key) != 0 {
				refused++
			}
		}
		return nil, nil
	})
	fx := w.step(say(1, 1, "x"))
	if len(fx.Log.Keys) > maxWrites || refused < 3*maxWrites {
		t.Errorf("%d keys in the log, %d writes refused", len(fx.Log.Keys), refused)
	}
	if fx := w.step(say(1, 2, "x")); len(fx.Log.Keys) != maxWrites {
		t.Errorf("%d keys in the next step's log, want %d", len(fx.Log.Keys), maxWrites)
	}
	checkSaved(t, w.region)
}

// TestManyAbsent: making room looks at each absent person's keys once, however often it is needed.
func TestManyAbsent(t *testing.T) {
	fill := false
	w := probe(t, func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
		for _, e := range b.Events {
			for i := range 4000 {
				if !fill {
					kv.Put(abi.ScopeUser, e.Subject, "seen", make([]byte, 252))
					break
				}
				if code := kv.Put(abi.ScopeRegion, 0, fmt.Sprint(i), nil); code != 0 {
					return nil, fmt.Errorf("put %d: code %d", i, code)
				}
			}
		}
		return nil, nil
	})
	for s := uint64(2); s < 1100; s++ {
		w.step(join(s, fmt.Sprint("user", s)), say(s, 1, "x"))
		w.step(stream.Input{Kind: stream.InputLeave, Session: s})
	}
	fill = true
	if fx := w.step(say(1, 1, "x")); len(fx.Faults) != 0 {
		t.Fatalf("faults %+v", fx.Faults)
	}
	checkSaved(t, w.region)
	w.save()
	w.crash()
}

// TestMoreThanTheLimit: a venue whose limit was lowered below the people in it still calls its rules.
func TestMoreThanTheLimit(t *testing.T) {
	const people = 5000
	heard := 0
	fresh := func() []Rule {
		return []Rule{newTwin("probe", []string{"message"}, []string{"users"}, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
			heard += len(b.Events)
			return nil, nil
		}), nil}
	}
	var users []saved.User
	for i := range uint64(people) {
		users = append(users, saved.User{Session: i + 1, ID: 1<<32 | i + 100, User: fmt.Sprint("user", i), Body: standing(lattice.Joint{Pos: lattice.Vec{Y: 1600}})})
	}
	w := &world{t: t, venue: hall(t, 0, 8), fresh: fresh, rules: fresh(), block: 2, tick: 1}
	w.log = []saved.Record{{Tick: 1, LastID: 2 << 32, Users: users}}
	w.region = w.restore()
	w.step(stream.Input{Kind: stream.InputBack, Session: 1}, say(1, 1, "x"))
	if heard != 1 {
		t.Errorf("the rule heard %d events, want 1", heard)
	}
}

// TestStateCodes asks for what there is not.
func TestStateCodes(t *testing.T) {
	got := map[string]int{}
	w := probe(t, func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
		put := func(name string, scope abi.Scope, subject uint64, key string, value []byte) {
			got[name] = kv.Put(scope, subject, key, value)
		}
		put("no scope", 0, 0, "k", nil)
		put("scope 9", 9, 0, "k", nil)
		put("object", abi.ScopeObject, 1<<32|77, "k", nil)
		put("user", abi.ScopeUser, 1<<32|1, "k", nil)
		put("zone", abi.ScopeZone, 3, "k", nil)
		put("region", abi.ScopeRegion, 1, "k", nil)
		put("venue", abi.ScopeVenue, 0, "k", nil)
		put("empty key", abi.ScopeRegion, 0, "", nil)
		put("long key", abi.ScopeRegion, 0, strings.Repeat("k", abi.MaxKey+1), nil)
		put("long value", abi.ScopeRegion, 0, "k", make([]byte, abi.MaxValue+1))
		_, got["missing"] = kv.Get(abi.ScopeRegion, 0, "k")
		_, got["get scope"] = kv.Get(abi.ScopeZone, 99, "k")
		got["delete"] = kv.Del(abi.ScopeRegion, 0, "k")
		return nil, nil
	})
	w.step(say(1, 1, "x"))
	for name, want := range map[string]int{
		"no scope": abi.KVScope, "scope 9": abi.KVScope, "object": abi.KVScope, "user": abi.KVScope, "zone": abi.KVScope,
		"region": abi.KVScope, "venue": 0, "empty key": abi.KVTooLarge, "long key": abi.KVTooLarge, "long value": abi.KVTooLarge,
		"missing": abi.KVMissing, "get scope": abi.KVScope, "delete": 0,
	} {
		if got[name] != want {
			t.Errorf("%s: code %d, want %d", name, got[name], want)
		}
	}
}

// TestCommands gives each command that must be refused, with the sentence that its author reads, and
// checks that the good command before it is undone.
func TestCommands(t *testing.T) {
	var cmds []abi.Command
	w := probe(t, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) { return cmds, nil })
	w.region.rules[0].Commands &^= 1 << abi.CmdLock
	cup, gate, ada := uint64(1<<32|1), uint64(1<<32|5), w.region.users[0].ID
	lamp := uint64(1<<32 | 4)
	seq := uint32(0)
	for _, c := range []struct {
		cmd  abi.Command
		want string
	}{
		{abi.Command{Kind: abi.CmdGrant, Subject: ada, Object: cup}, "event is 0"},
		{abi.Command{Kind: abi.CmdGrant, Event: 1, Subject: ada, Object: cup}, "not a request"},
		{abi.Command{Kind: abi.CmdDeny, Event: 1}, "not a request"},
		{abi.Command{Kind: abi.CmdAccept, Event: 9}, "event 9 of a batch of 1"},
		{abi.Command{Kind: abi.CmdRelease, Object: 5}, "not in this region"},
		{abi.Command{Kind: abi.CmdRelease, Object: lamp}, "does not decide"},
		{abi.Command{Kind: abi.CmdSetState, Object: cup, Value: -1}, "32 bits"},
		{abi.Command{Kind: abi.CmdSetState, Object: cup, Value: 1 << 32}, "32 bits"},
		{abi.Command{Kind: abi.CmdSetPose, Object: cup, X: 1 << 30}, "on no floor"},
		{abi.Command{Kind: abi.CmdDoor, Object: cup}, "not in this region"},
		{abi.Command{Kind: abi.CmdDoor, Object: gate, Value: 1001}, "permille"},
		{abi.Command{Kind: abi.CmdLock, Object: gate, Value: 1}, "manifest"},
		{abi.Command{Kind: abi.CmdTeleport, Subject: ada, Y: -9999}, "on no floor"},
		{abi.Command{Kind: abi.CmdEmit, Value: 4, Data: []byte("n\x00")}, "audience"},
		{abi.Command{Kind: abi.CmdScore, Subject: ada, Value: 1, Data: []byte("Wins")}, "not a board's name"},
		{abi.Command{Kind: abi.CmdScore, Subject: ada, Value: -1 << 40, Data: []byte("wins")}, "not between"},
		{abi.Command{Kind: abi.CmdSignal, Data: []byte("door\x00open")}, "a zero byte"},
		{abi.Command{Kind: abi.CmdSignal, Data: []byte("dor\x00open\x00")}, `no rule "dor"`},
		{abi.Command{Kind: abi.CmdSignal, Data: []byte("door\x00\xff\x00")}, "UTF-8"},
		{abi.Command{Kind: abi.CmdSignal, Data: []byte("door\x00open\x00" + strings.Repeat("x", abi.MaxMessage+1))}, "at most"},
		{abi.Command{Kind: abi.CmdSignal, Scope: abi.ScopeUser, Subject: ada, Data: []byte("door\x00open\x00")}, "want region or venue"},
		{abi.Command{Kind: abi.CmdSignal, Scope: abi.ScopeRegion, Subject: 2, Data: []byte("door\x00open\x00")}, "not a region's number"},
		{abi.Command{Kind: abi.CmdEmit, Value: 2, Data: []byte("n")}, "a zero byte"},
		{abi.Command{Kind: abi.CmdEmit, Value: 2, Data: []byte("n\x00{")}, "JSON"},
		{abi.Command{Kind: abi.CmdEmit, Value: 2, Data: []byte("n\x00\"" + strings.Repeat("x", abi.MaxMessage) + "\"")}, "at most"},
		{abi.Command{Kind: abi.CmdEmit, Value: 2, Data: []byte(strings.Repeat("n", 65) + "\x00")}, "name of 1 to 64"},
		{abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeZone, Subject: 3}, "zone 3"},
		{abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeRegion, Aux: 1 << 63}, "30 days"},
		{abi.Command{Kind: abi.CmdTimerCancel, Scope: abi.ScopeObject, Subject: 3}, "object 3"},
	} {
		cmds = []abi.Command{
			{Kind: abi.CmdSetState, Object: cup, Value: 5}, {Kind: abi.CmdScore, Subject: ada, Value: 3, Data: []byte("wins")},
			{Kind: abi.CmdSignal, Data: []byte("door\x00open\x00")}, {Kind: abi.CmdEmit, Value: abi.EmitVenue, Data: []byte("n\x00")}, c.cmd,
		}
		seq++
		before := w.region.Hash()
		fx := w.step(say(1, seq, "x"))
		w.region.rules[0].offenders = map[saved.Person]*offender{}
		if len(fx.Faults) != 1 || !strings.Contains(fx.Faults[0].Fault.Message, c.want) {
			t.Errorf("%+v: faults %+v, want %q", c.cmd, fx.Faults, c.want)
		}
		if len(fx.Events) != 1 || fx.Events[0].Type != "error" || w.region.objects[0].State.Value != 0 {
			t.Errorf("%+v: the command before it was not undone", c.cmd)
		}
		if len(fx.Log.Scores) != 0 || fx.Log.Signals != nil || fx.Stats.Scores != 0 || w.region.queued[1] != 0 {
			t.Errorf("%+v: the score or the signal before it was not undone: %+v", c.cmd, fx.Log)
		}
		if before == w.region.Hash() {
			t.Error("the input was not counted")
		}
		checkSaved(t, w.region)
	}
	// What names somebody who is not here does nothing.
	cmds = []abi.Command{
		{Kind: abi.CmdTeleport, Subject: 12345}, {Kind: abi.CmdEmit, Value: abi.EmitUser, Subject: 12345, Data: []byte("n\x00")},
		{Kind: abi.CmdEmit, Value: abi.EmitNear, Subject: 12345, Data: []byte("n\x00")},
		{Kind: abi.CmdScore, Subject: 12345, Value: 1, Data: []byte("wins")},
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeUser, Subject: 12345}, {Kind: abi.CmdTimerCancel, Scope: abi.ScopeUser, Subject: 12345},
	}
	if fx := w.step(say(1, seq+1, "x")); len(fx.Faults)+len(fx.Events) != 0 {
		t.Errorf("faults %v, events %v", fx.Faults, fx.Events)
	}
}

// TestTimers: overdue timers fire once, in order of due time, however long nobody ticked; more
// than MaxTimers are refused; a person's go with the person.
func TestTimers(t *testing.T) {
	var cmds []abi.Command
	var fired []string
	w := probe(t, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
		var out []abi.Command
		for _, e := range b.Events {
			switch e.Kind {
			case abi.EventTimer:
				fired = append(fired, fmt.Sprintf("%s/%d", e.Scope, e.Value))
			case abi.EventMessage:
				out = cmds
			}
		}
		return out, nil
	})
	ada := w.region.users[0].ID
	w.step(join(2, "ben"))
	ben := w.region.users[1].ID
	cmds = []abi.Command{
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeZone, Subject: 1, Value: 1, Aux: 900_000},
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeRegion, Value: 2, Aux: 100_000},
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeUser, Subject: ada, Value: 3, Aux: 500_000},
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeUser, Subject: ben, Value: 4, Aux: 500_000},
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeObject, Subject: 1<<32 | 1, Value: 5, Aux: 500_000},
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeRegion, Value: 6, Aux: 300_000},
		{Kind: abi.CmdTimerCancel, Scope: abi.ScopeRegion, Value: 6},
		{Kind: abi.CmdTimerStart, Scope: abi.ScopeRegion, Value: 2, Aux: 700_000},
	}
	w.step(say(1, 1, "start"))
	w.step(stream.Input{Kind: stream.InputLeave, Session: 2})
	w.crash()
	if len(fired) != 0 {
		t.Fatalf("fired too early: %v", fired)
	}
	w.tick += 50
	w.step()
	w.step()
	if got := fmt.Sprint(fired); got != "[object/5 user/3 region/2 zone/1]" {
		t.Fatalf("fired %s", got)
	}
	checkSaved(t, w.region)
}

// TestTooManyTimers: the call that would go past the limit has no effect.
func TestTooManyTimers(t *testing.T) {
	first := 0
	w := probe(t, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
		var out []abi.Command
		for i := range 600 {
			out = append(out, abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeRegion, Value: int64(first + i), Aux: 1e9})
		}
		return out, nil
	})
	w.step(say(1, 1, "x"))
	first = 600
	fx := w.step(say(1, 2, "x"))
	if len(fx.Faults) != 1 || fx.Faults[0].Fault.Kind != abi.FaultState || len(w.region.rules[0].timers) != 600 {
		t.Fatalf("faults %+v, %d timers", fx.Faults, len(w.region.rules[0].timers))
	}
	checkSaved(t, w.region)
}

// TestConfig: what cannot be a region says why.
func TestConfig(t *testing.T) {
	v := hall(t, 0, 8)
	crowd := hall(t, 0, 4000)
	users := newTwin("probe", []string{"message"}, []string{"users"}, nil)
	for want, cfg := range map[string]Config{
		"Venue is nil":  {},
		"has 1 regions": {Venue: v, Region: 1},
		"one for each":  {Venue: v},
		"fewer views":   {Venue: crowd, Rules: []Rule{users, nil}},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestDamaged: snapshots that do not hang together are refused with what is wrong.
func TestDamaged(t *testing.T) {
	w := newWorld(t, hall(t, 100, 8))
	w.step(join(1, "ada"), join(2, "ben"))
	cup := w.region.objects[0]
	for _, u := range w.region.users {
		r := w.region
		u.State.Body.Head.Pos = cup.pos()
		r.cutHands(&u.State.Body)
	}
	w.step(stream.Input{Kind: stream.InputGrab, Session: 1, Seq: 1, Object: cup.ID, HandAt: cup.State.Body.Head})
	w.save()
	var good saved.File
	if err := json.Unmarshal(w.snapshot, &good); err != nil {
		t.Fatal(err)
	}
	if len(good.Windows) != 1 {
		t.Fatalf("want an open window in %s", w.snapshot)
	}
	for want, damage := range map[string]func(*saved.File){
		"format 9":             func(f *saved.File) { f.Format = 9 },
		`venue "other"`:        func(f *saved.File) { f.Venue = "other" },
		"an id appears twice":  func(f *saved.File) { f.Users = append(f.Users, f.Users[0]) },
		"used twice":           func(f *saved.File) { f.Users[0].ID = f.Users[1].ID },
		"is there twice":       func(f *saved.File) { f.Users[0].User = f.Users[1].User },
		"outside":              func(f *saved.File) { f.Users[0].Body.Left.Pos.X = 1<<31 - 1 },
		"unit quaternion":      func(f *saved.File) { f.Objects[0].Pose.Rot = lattice.Rot{Largest: 7} },
		"its holder 99":        func(f *saved.File) { f.Objects[0].Holder = 99 },
		"holds two objects":    func(f *saved.File) { f.Objects[0].Holder, f.Objects[1].Holder = f.Users[0].ID, f.Users[0].ID },
		"want 0 to 1000":       func(f *saved.File) { f.Doors[0].Target = 1001 },
		"session 9 is not":     func(f *saved.File) { f.Windows[0].Requests[0].Session = 9 },
		"are not of a request": func(f *saved.File) { f.Windows[0].Requests[0].Kind = stream.InputPose },
	} {
		var f saved.File
		_ = json.Unmarshal(w.snapshot, &f)
		damage(&f)
		b, _ := json.Marshal(f)
		if _, err := Restore(w.config(), b, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := Restore(w.config(), w.snapshot[:len(w.snapshot)/2], nil); err == nil {
		t.Error("half a snapshot was taken")
	}
	if _, err := Restore(w.config(), w.snapshot, []saved.Record{{Tick: 90}, {Tick: 80}}); err == nil {
		t.Error("a log out of order was taken")
	}
}

// TestManifestChanged: a restart with another manifest keeps what is still there, removes the rest and
// makes what is new.
func TestManifestChanged(t *testing.T) {
	w := newWorld(t, hall(t, 100, 8))
	w.step(join(1, "ada"))
	w.step(say(1, 1, "state"))
	w.save()
	next := hall(t, 100, 8)
	next.Objects[1].Name = "globe" // the ball is gone
	w.venue = next
	cfg := w.config()
	cfg.IDBlock = 2
	r, err := Restore(cfg, w.snapshot, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.region = r
	fx := w.step()
	checkSaved(t, r)
	if len(fx.Log.Removed) != 1 || fx.Log.Removed[0] != 1<<32|2 {
		t.Fatalf("removed %v", fx.Log.Removed)
	}
	got := map[string]uint64{}
	for _, o := range r.objects {
		got[o.Name] = o.ID
	}
	if got["cup"] != 1<<32|1 || got["globe"] != 2<<32|1 || len(got) != 4 || r.objects[0].State.Value != 7 {
		t.Fatalf("objects %v, cup %d", got, r.objects[0].State.Value)
	}
}

// FuzzRestore: no bytes make Restore, or the steps after it, panic.
func FuzzRestore(f *testing.F) {
	v := hall(f, 100, 8)
	w := newWorld(f, v)
	w.step(join(1, "ada"), say(1, 1, "state"), say(1, 2, "note"))
	w.save()
	w.step(join(2, "ben"), stream.Input{Kind: stream.InputGrab, Session: 1, Seq: 3, Object: 1<<32 | 1})
	w.step(stream.Input{Kind: stream.InputLeave, Session: 2})
	log, _ := json.Marshal(w.log)
	f.Add(w.snapshot, log)
	f.Add([]byte(`{"format":1,"venue":"test-hall","region":"hall"}`), []byte(`[{"tick":1,"users":[{"session":1,"id":1}]}]`))
	f.Add([]byte(`{"format":1,"venue":"test-hall","region":"hall"}`),
		[]byte(`[{"tick":1,"timers":[{"rule":"door","scope":3,"subject":77,"due_us":1},{"rule":"door","scope":2,"subject":77,"due_us":1}]}]`))
	f.Add([]byte(`{"format":2,"venue":"test-hall","region":"hall","schemas":[{"rule":"hands","schema":1}],"signals":[{"rule":"door","from":"hands","region":"attic","topic":"t","user":"ada"},`+
		`{"rule":"none"}],"sent":[{"tick":1,"message":{"To":"attic"}}],"sent_to":[{"region":"attic"}],"heard":[{"region":"attic","at":{"N":3}}],`+
		`"forks":[{"rule":"hands","schema":0,"keys":[{"scope":1,"subject":77,"key":"aw=="}],"timers":[{"rule":"hands","scope":9,"subject":1,"due_us":1}]}]}`),
		[]byte(`[{"tick":1,"signals":[],"acked":[{"region":"attic"}],"forks":[{"rule":"door","op":"keep"},{"rule":"hands","op":"back"},{"rule":"none","op":"?"}],"scores":[{"n":7}]}]`))
	f.Fuzz(func(t *testing.T, snapshot, log []byte) {
		var recs []saved.Record
		if json.Unmarshal(log, &recs) != nil {
			recs = nil
		}
		cfg := w.config()
		cfg.Rules = w.fresh()
		r, err := Restore(cfg, snapshot, recs)
		if err != nil || r.tick > 1<<40 {
			return
		}
		r.Step(r.tick+1, []stream.Input{join(1, "ada"), say(1, 1, "note")})
		if err := r.SwapRule(0, handsVersion(2, 1, nil), SwapOptions{Faults: 1}); err != nil {
			t.Fatal(err)
		}
		r.Step(r.tick+2, []stream.Input{{Kind: stream.InputLeave, Session: 1}})
		r.Key()
	})
}
