package scene

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// TestScripts plays testdata/*.txt: each command's input lines are what gateways send, its output what
// the region did. `go test ./host/scene -run TestScripts -rewrite` writes the outputs anew.
//
//	venue [window=100] [users=8]    a new region
//	step [ticks=1]                  one tick with the inputs below, then more without
//	   SESSION join USER [load] [x y z]
//	   SESSION away | back [x y z] | leave
//	   SESSION pose x y z [nth=N]            head; hands hang
//	   SESSION reach x y z                   the right hand, head and left hand unchanged
//	   SESSION grab|release|use OBJECT [left] [early=MS] [late=MS] [from=x,y,z] [seq=N]
//	   SESSION say TOPIC [json]
//	   0 reset OBJECT                        by an operator
//	show                            where everything is
//	swap hands 2.0.0 [schema=N] [migrates] [traps] [faults=N] [watch=TICKS]
//	                                another module in the place of a rule; one that traps does so at every message "count"
//	save | crash [old] | ring | lock gate
//	                                old: with the rules of before the newest swap
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			s := &script{t: t}
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				s.t = t
				return s.run(d)
			})
		})
	}
}

type script struct {
	t     testing.TB
	w     *world
	seqs  map[uint64]uint32
	nth   map[uint64]uint16
	known map[uint64]string // names of entities seen
	old   func() []Rule     // the rules before the newest swap
}

func (s *script) run(d *datadriven.TestData) string {
	var out strings.Builder
	switch d.Cmd {
	case "venue":
		window, users := 100, 8
		d.MaybeScanArgs(s.t, "window", &window)
		d.MaybeScanArgs(s.t, "users", &users)
		s.w = newWorld(s.t, hall(s.t, window, users))
		s.seqs, s.nth, s.known = map[uint64]uint32{}, map[uint64]uint16{}, map[uint64]string{}
		s.w.step()
	case "step":
		ticks := 1
		d.MaybeScanArgs(s.t, "ticks", &ticks)
		var in []stream.Input
		if d.Input != "" {
			for _, line := range strings.Split(d.Input, "\n") {
				in = append(in, s.input(strings.Fields(line)))
			}
		}
		for range ticks {
			s.describe(&out, s.w.step(in...))
			in = nil
			checkSaved(s.t, s.w.region)
		}
	case "show":
		s.show(&out)
	case "swap":
		s.swap(d, &out)
	case "save":
		s.w.save()
	case "crash":
		if d.HasArg("old") {
			s.w.fresh = s.old
		}
		s.w.crash()
		out.WriteString("same state\n")
	case "ring":
		for _, e := range s.w.region.Key().Events {
			fmt.Fprintf(&out, "%d: tick %d %s\n", e.N, e.Tick, e.Type)
		}
	default:
		s.t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
	}
	if out.Len() == 0 {
		return "ok\n"
	}
	return out.String()
}

// swap puts another version of the hands rule in its place.
func (s *script) swap(d *datadriven.TestData, out *strings.Builder) {
	s.t.Helper()
	version, schema := d.CmdArgs[1].Key, 0
	var opt SwapOptions
	d.MaybeScanArgs(s.t, "schema", &schema)
	d.MaybeScanArgs(s.t, "faults", &opt.Faults)
	d.MaybeScanArgs(s.t, "watch", &opt.WatchTicks)
	opt.Reason = "by the script"
	traps, migrates := d.HasArg("traps"), d.HasArg("migrates")
	module := func() *twin {
		next := handsRule()
		next.manifest.Version, next.manifest.Schema, next.digest = version, schema, strings.Repeat(version[:1], 64)
		if migrates {
			next.migrate = func(from int, kv abi.KV) error {
				n, _ := kv.Get(abi.ScopeRegion, 0, "counted")
				kv.Del(abi.ScopeRegion, 0, "counted")
				kv.Put(abi.ScopeRegion, 0, fmt.Sprintf("counted-%d", schema), n)
				return nil
			}
		}
		play := next.play
		next.play = func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
			for i := range b.Events {
				if topic, _, _ := abi.SplitData(b.Events[i].Data); topic == "count" && traps {
					return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: "hands", Message: "unreachable"}
				}
			}
			return play(b, kv)
		}
		return next
	}
	if err := s.w.region.SwapRule(0, module(), opt); err != nil {
		fmt.Fprintln(out, err)
		return
	}
	s.old, s.w.fresh = s.w.fresh, func() []Rule { return []Rule{module(), doorRule()} }
}

// input reads one line as what a gateway would send now.
func (s *script) input(f []string) stream.Input {
	s.t.Helper()
	session, err := strconv.ParseUint(f[0], 10, 64)
	if err != nil {
		s.t.Fatalf("%v: %v", f, err)
	}
	now := s.w.region.serverTime(s.w.tick + 1)
	x := stream.Input{Session: session, Stamp: now, Arrival: now}
	args := f[2:]
	u := s.w.region.sessions[session]
	switch f[1] {
	case "join":
		x.Kind, x.User, x.Name = stream.InputJoin, args[0], strings.ToUpper(args[0][:1])+args[0][1:]
		args = args[1:]
		if len(args) > 0 && args[0] == "load" {
			x.Load, args = true, args[1:]
		}
		if len(args) > 0 && strings.HasPrefix(args[0], "spawn=") {
			x.Spawn, args = args[0][6:], args[1:]
		}
		if len(args) == 3 {
			x.HasPlace, x.Body.Head.Pos = true, s.point(args)
		}
	case "away":
		x.Kind = stream.InputAway
	case "back":
		x.Kind = stream.InputBack
		if len(args) == 3 {
			x.HasPlace, x.Body.Head.Pos = true, s.point(args)
		}
	case "leave":
		x.Kind, x.Reason = stream.InputLeave, 4006
	case "pose", "reach":
		s.nth[session]++
		x.Kind, x.PoseSeq = stream.InputPose, s.nth[session]
		if len(args) == 4 {
			n, _ := strconv.Atoi(strings.TrimPrefix(args[3], "nth="))
			x.PoseSeq, args = uint16(n), args[:3]
		}
		if f[1] == "pose" {
			x.Body = standing(lattice.Joint{Pos: s.point(args)})
		} else {
			x.Body = u.State.Body
			x.Body.Right.Pos = s.point(args)
		}
	case "say":
		x.Kind, x.Topic, x.Data = stream.InputMessage, args[0], []byte(strings.Join(args[1:], " "))
	case "reset":
		x.Kind, x.Object = stream.InputReset, s.id(args[0])
	case "grab", "release", "use":
		x.Kind = map[string]stream.InputKind{"grab": stream.InputGrab, "release": stream.InputRelease, "use": stream.InputUse}[f[1]]
		x.Object, x.Hand = s.id(args[0]), 1
		if o := s.w.region.objectByID(x.Object); o != nil {
			x.HandAt = o.State.Body.Head
		} else if u != nil {
			x.HandAt = u.State.Body.Right
		}
		for _, a := range args[1:] {
			name, v, _ := strings.Cut(a, "=")
			n, _ := strconv.ParseInt(v, 10, 64)
			switch name {
			case "left":
				x.Hand = 0
			case "early": // the hand closed that many ms before
				x.Stamp = now - n*1000
			case "late": // and word of it came that many ms before the tick
				x.Arrival = now - n*1000
			case "from":
				x.HandAt.Pos = s.point(strings.Split(v, ","))
			case "seq":
				x.Seq = uint32(n)
			default:
				s.t.Fatalf("unknown argument %s", a)
			}
		}
	default:
		s.t.Fatalf("unknown input %v", f)
	}
	if x.Kind.Key() && x.Seq == 0 {
		s.seqs[session]++
		x.Seq = s.seqs[session]
	}
	return x
}

func (s *script) point(f []string) lattice.Vec {
	s.t.Helper()
	var m [3]float64
	for i := range m {
		var err error
		if m[i], err = strconv.ParseFloat(f[i], 64); err != nil {
			s.t.Fatal(err)
		}
	}
	v, err := lattice.VecFromMetres(m[0], m[1], m[2])
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

// id finds a thing by name; numbers stand for themselves.
func (s *script) id(name string) uint64 {
	for _, e := range s.w.region.Key().Entities {
		if e.Name == name {
			return e.ID
		}
	}
	n, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		s.t.Fatalf("there is no %s", name)
	}
	return n
}

// name finds the name of a thing that is, or just was, there.
func (s *script) name(id string, fx *Effects) string {
	n, _ := strconv.ParseUint(id, 10, 64)
	for _, list := range [][]stream.Entity{s.w.region.Key().Entities, fx.Entities} {
		for i := range list {
			s.known[list[i].ID] = list[i].Name
		}
	}
	if name, ok := s.known[n]; ok {
		return name
	}
	return "#" + strconv.FormatUint(n>>32, 10) + "." + strconv.FormatUint(n&0xffffffff, 10)
}

// describe writes what a step did, one line a thing.
func (s *script) describe(out *strings.Builder, fx *Effects) {
	for i := range fx.Events {
		e := &fx.Events[i]
		fmt.Fprintf(out, "%d: ", fx.Tick)
		switch e.Audience {
		case stream.ToSession:
			fmt.Fprintf(out, "to %d: ", e.Session)
		case stream.ToRegion:
			out.WriteString("to all: ")
		}
		out.WriteString(e.Type)
		var body map[string]json.RawMessage
		if err := json.Unmarshal(e.Body, &body); err != nil {
			s.t.Fatalf("event %s: body %s: %v", e.Type, e.Body, err)
		}
		for _, key := range []string{"board", "delta", "object", "entity", "door", "by", "hand", "p", "open", "locked", "value", "name", "data", "why", "msg", "field", "ok"} {
			v, ok := body[key]
			if !ok {
				continue
			}
			text := string(v)
			switch key {
			case "object", "entity", "door", "by":
				text = s.name(strings.Trim(text, `"`), fx)
			case "p":
				var p [3]float64
				_ = json.Unmarshal(v, &p)
				text = fmt.Sprintf("(%.2f %.2f %.2f)", p[0], p[1], p[2])
			}
			fmt.Fprintf(out, " %s=%s", key, text)
		}
		if e.Seq != 0 {
			fmt.Fprintf(out, " (input %d of %d)", e.Seq, e.Session)
		}
		out.WriteByte('\n')
	}
	for _, f := range fx.Faults {
		fmt.Fprintf(out, "%d: fault of rule %s: %s: %s", fx.Tick, f.Rule, f.Fault.Kind, f.Fault.Message)
		if f.Session != 0 {
			fmt.Fprintf(out, " (session %d)", f.Session)
		}
		if f.Quarantined {
			out.WriteString(" QUARANTINE")
		}
		out.WriteByte('\n')
	}
	for _, w := range fx.Swaps {
		fmt.Fprintf(out, "%d: swap of rule %s from %s to %s: %s", w.Tick, w.Rule, &w.From, &w.To, w.Reason)
		if w.Returned {
			s.w.fresh = s.old
			out.WriteString(" RETURNED")
		}
		out.WriteByte('\n')
	}
	for _, r := range fx.Retired {
		fmt.Fprintf(out, "%d: retired %s\n", fx.Tick, r.Manifest().Version)
	}
	if fx.Log != nil {
		for _, sc := range fx.Log.Scores {
			fmt.Fprintf(out, "%d: score %d of %s: %+d on %s\n", fx.Tick, sc.N, sc.User, sc.Delta, sc.Board)
		}
	}
	st := fx.Stats
	if st.Clamped+st.Duplicates+st.Gaps > 0 {
		fmt.Fprintf(out, "%d: clamped %d, duplicates %d, gaps %d\n", fx.Tick, st.Clamped, st.Duplicates, st.Gaps)
	}
	if st.Duplicates+st.Gaps > 0 {
		for _, c := range fx.Cursors {
			fmt.Fprintf(out, "%d: cursor of %d is %d\n", fx.Tick, c.Session, c.Seq)
		}
	}
}

func (s *script) show(out *strings.Builder) {
	r := s.w.region
	for _, u := range r.users {
		x, y, z := u.head().Metres()
		fmt.Fprintf(out, "%s at (%.2f %.2f %.2f) cursor %d", u.Name, x, y, z, u.cursor)
		if u.away {
			out.WriteString(" away")
		}
		for _, z := range u.zones {
			fmt.Fprintf(out, " in %s", r.venue.Zones[z].Name)
		}
		out.WriteByte('\n')
	}
	for _, o := range r.objects {
		x, y, z := o.pos().Metres()
		fmt.Fprintf(out, "%s at (%.2f %.2f %.2f) value %d", o.Name, x, y, z, o.State.Value)
		if o.holder != nil {
			fmt.Fprintf(out, " held by %s, hand %d", o.holder.Name, o.hand)
		}
		out.WriteByte('\n')
	}
	for _, d := range r.doors {
		fmt.Fprintf(out, "%s open %d of 1000, locked %v\n", d.Name, d.State.Value, d.locked)
	}
	for _, rule := range r.rules {
		keys := []string{}
		for k, v := range rule.stored.All() {
			subject := k.Who.User
			if k.Subject != 0 {
				subject = s.name(strconv.FormatUint(k.Subject, 10), &Effects{})
			}
			keys = append(keys, fmt.Sprintf("rule %s: %s %s %s = %s\n", rule.name, k.Scope, subject, k.Key, v))
		}
		slices.Sort(keys)
		out.WriteString(strings.Join(keys, ""))
	}
}
