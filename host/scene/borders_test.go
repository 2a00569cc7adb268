package scene

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// houseTOML is a venue of four regions: a ground floor in three, and a floor above a part of it. Each has an object,
// a zone and a door.
const houseTOML = `
[venue]
id = "house"
name = "House"
tick_hz = 20
[[floor]]
name = "ground"
min = [-10.0, -6.0]
max = [10.0, 6.0]
height = 3.0
[[floor]]
name = "upper"
min = [-4.0, -6.0]
max = [14.0, 6.0]
y = 3.0
height = 3.0
[[cut]]
floor = "ground"
axis = "x"
at = 0
[[cut]]
floor = "ground"
axis = "z"
at = 1
in = "1"
[[spawn]]
name = "entrance"
floor = "ground"
at = [-6.0, 0.0]
[[kind]]
name = "cup"
grabbable = true
usable = true
`

func house(t failer) *venues.Venue {
	t.Helper()
	text := houseTOML
	for i, at := range []struct {
		floor    string
		x, y, z  float64
		min, max string
	}{
		{"ground", -5, 1, 0, "-6.0, -1.0", "-4.0, 1.0"},
		{"ground", 5, 1, -3, "4.0, -4.0", "6.0, -2.0"},
		{"ground", 5, 1, 4, "4.0, 3.0", "6.0, 5.0"},
		{"upper", 8, 4, 0, "7.0, -1.0", "9.0, 1.0"},
	} {
		text += fmt.Sprintf(`
[[object]]
name = "cup-%d"
kind = "cup"
floor = %q
at = [%g, %g, %g]
[[zone]]
name = "zone-%[1]d"
floor = %[2]q
min = [%[6]s]
max = [%[7]s]
[[door]]
name = "door-%[1]d"
floor = %[2]q
at = [%[3]g, %[5]g]
zone = "zone-%[1]d"
`, i, at.floor, at.x, at.y, at.z, at.min, at.max)
	}
	text += `
[[rule]]
name = "hands"
plugin = "hands"
[[rule]]
name = "door"
plugin = "door"
`
	v, err := venues.Read("house.toml", []byte(text), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBorders: people walk, are teleported and reach anywhere in a venue of four regions that never hear of each other. Whoever is over
// a border for long, or put there, is handed over, which waits for ever; whoever is not is in their region and in no other, on some floor, with what they
// hold; only the zones of their region count them; requests for what lies in another region are denied; everything survives a restart; and who was not
// handed over can always walk back.
func TestBorders(t *testing.T) {
	v := house(t)
	if len(v.Regions) != 4 {
		t.Fatalf("%d regions, want 4", len(v.Regions))
	}
	rapid.Check(t, func(t *rapid.T) {
		var worlds []*world
		for i := range v.Regions {
			w := &world{t: t, venue: v, block: uint32(i + 1)}
			w.fresh = func() []Rule { return []Rule{handsRule(), doorRule()} }
			w.rules = w.fresh()
			cfg := w.config()
			cfg.Region = i
			r, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			w.region = r
			in := join(uint64(i+1), fmt.Sprint("user", i))
			in.HasPlace, in.Body.Head.Pos = true, drawHouse(t)
			w.step(in)
			worlds = append(worlds, w)
		}
		var objects []uint64 // they may go along with who holds them
		for _, w := range worlds {
			objects = append(objects, w.region.objects[0].ID)
		}
		object := func() uint64 { return rapid.SampledFrom(objects).Draw(t, "object") }
		seqs := make([]uint32, len(worlds))
		for range rapid.IntRange(1, 40).Draw(t, "ticks") {
			for i, w := range worlds {
				if len(w.region.users) == 0 {
					w.step()
					checkSaved(t, w.region)
					continue
				}
				u := w.region.users[0]
				x := stream.Input{Session: uint64(i + 1), Arrival: w.region.serverTime(w.tick + 1)}
				x.Stamp = x.Arrival
				switch rapid.IntRange(0, 5).Draw(t, "what") {
				case 0, 1:
					x.Kind, x.PoseSeq = stream.InputPose, u.poseSeq+1
					x.Body = standing(lattice.Joint{Pos: drawHouse(t)})
				case 2:
					seqs[i]++
					p := drawHouse(t)
					mx, my, mz := p.Metres()
					x.Kind, x.Seq, x.Topic = stream.InputMessage, seqs[i], "teleport"
					x.Data = fmt.Appendf(nil, `{"X":%g,"Y":%g,"Z":%g}`, mx, my, mz)
				case 3, 4:
					seqs[i]++
					x.Kind, x.Seq, x.Object, x.Hand = rapid.SampledFrom([]stream.InputKind{stream.InputGrab, stream.InputRelease, stream.InputUse}).Draw(t, "ask"), seqs[i], object(), 1
					x.HandAt = u.State.Body.Right
				default:
					x.Kind = stream.InputAway
					if u.away {
						x.Kind = stream.InputBack
					}
				}
				w.step(x)
				checkHolders(t, w.region)
				checkSaved(t, w.region)
				if len(w.region.users) == 0 {
					// Where to is not said: a rule may have put them elsewhere in the very step.
					if f := w.region.flights; len(f) != 1 || f[0].to == w.region.region.Name || f[0].data.Users[0].Session != uint64(i+1) {
						t.Fatalf("region %s has handed over %v", w.region.region.Name, f)
					}
					continue
				}
				if len(w.region.users) != 1 || w.region.users[0].Session != uint64(i+1) {
					t.Fatalf("region %s has %d people", w.region.region.Name, len(w.region.users))
				}
				if f := v.FloorAt(u.head(), u.floor); f != u.floor || int(u.Floor) != u.floor {
					t.Fatalf("%s is at %v, on floor %d, says %d", u.Name, u.head(), f, u.floor)
				}
				if w.region.rules[0].quarantine || w.region.rules[1].quarantine {
					t.Fatal("a rule is in quarantine")
				}
				for _, z := range u.zones {
					if v.Zones[z].Region != i {
						t.Fatalf("region %d counts somebody in %s", i, v.Zones[z].Name)
					}
				}
			}
		}
		for i, w := range worlds {
			// A restart, and the walk home.
			cfg := w.config()
			cfg.Region, cfg.IDBlock = i, cfg.IDBlock+10
			cfg.Rules = w.fresh()
			r, err := Restore(cfg, nil, w.log)
			if err != nil {
				t.Fatal(err)
			}
			if r.Hash() != w.region.Hash() {
				t.Fatalf("region %s differs after a restart", w.region.region.Name)
			}
			w.region, w.rules = r, cfg.Rules
			if len(r.users) == 0 {
				if fx := w.step(); len(fx.Out) != 1 || fx.Out[0].Kind != stream.RegionHandover || !fx.Out[0].Again {
					t.Fatalf("region %s does not send on whom it handed over: %+v", r.region.Name, fx.Out)
				}
				continue
			}
			home := v.Objects[i].Pose.Pos
			u := r.users[0]
			for n := range 10 * v.TickHz {
				in := []stream.Input{{Kind: stream.InputPose, Session: u.Session, PoseSeq: uint16(n + 1), Body: standing(lattice.Joint{Pos: home})}}
				if n == 0 {
					in = append([]stream.Input{{Kind: stream.InputBack, Session: u.Session}}, in...)
				}
				w.step(in...)
			}
			if len(r.users) == 0 {
				continue // too long over the border on the way
			}
			if u.head() != home {
				t.Fatalf("%s got to %v, wanted to %v", u.Name, u.head(), home)
			}
			if len(u.zones) != 1 || v.Zones[u.zones[0]].Region != i {
				t.Fatalf("%s is home in zones %v", u.Name, u.zones)
			}
			w.step(stream.Input{Kind: stream.InputLeave, Session: u.Session})
			if len(r.users) != 0 || len(r.objects) > 0 && r.objects[0].holder != nil {
				t.Fatalf("region %s: something is left of %s", r.region.Name, u.Name)
			}
			checkSaved(t, r)
		}
	})
}

// drawHouse draws places on both floors, between them and outside.
func drawHouse(t *rapid.T) lattice.Vec {
	return lattice.Vec{
		X: rapid.Int32Range(-12, 16).Draw(t, "x") * lattice.Steps,
		Y: rapid.Int32Range(-1, 14).Draw(t, "y") * lattice.Steps / 2,
		Z: rapid.Int32Range(-7, 7).Draw(t, "z") * lattice.Steps,
	}
}
