package recording

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
)

// TestMadeUpNames have the shape of the real ones, so that nothing but letters changes.
func TestMadeUpNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := newNames()
		real := strings.ToValidUTF8(rapid.StringN(1, 20, 64).Draw(t, "name"), "?")
		made := n.name(real)
		if len(made) != len(real) || utf8.RuneCountInString(made) != utf8.RuneCountInString(real) || n.name(real) != made {
			t.Fatalf("%q became %q", real, made)
		}
		if a, b := quoted(real), quoted(made); len(a) != len(b) && strings.IndexFunc(real, func(r rune) bool { return r == 0x2028 || r == 0x2029 || r == 0xfffd }) < 0 {
			t.Fatalf("in JSON %q became %q", a, b)
		}
	})
	n := newNames()
	if rule := "\x00hall/door"; n.user(rule) != rule {
		t.Error("what stands for a rule in a person's place has become a person")
	}
	if n.user("ann") != "u1" || n.user("bob") != "u2" || n.user("ann") != "u1" || n.user("") != "" {
		t.Error("ids are not u1, u2 in order")
	}
}

func TestMask(t *testing.T) {
	n := newNames()
	n.protect("score", "points_grab")
	for _, name := range []string{"Ann", "open", "1", "李雷", "O'Neil \"B\"", "score", "annabel", "Ж"} {
		n.name(name)
	}
	for _, c := range []struct {
		text   string
		use    use
		masked string // what of it is replaced, with * for every byte
	}{
		{"hello Ann!", output, "hello ***!"},
		{"hello Annie", output, "hello Annie"},
		{`{"a":"x\nAnn"}`, output, `{"a":"x\n***"}`},
		{"你好李雷", output, "你好******"},
		{`{"by":"O'Neil \"B\""}`, output, `{"by":"` + strings.Repeat("*", 12) + `"}`},
		{`"\u674e\u96f7"`, output, `"************"`},
		{`{"n":1}`, output, `{"n":*}`},
		{"\x01\x00\x00\x00\x31\x00", output, "\x01\x00\x00\x00\x31\x00"},
		{"greeting\x00to Ж", packed, "greeting\x00to **"},
		{"myannabelle", output, "my*******le"},
		{"score open Ann", output, "***** **** ***"},
		{"score open Ann", state, "score **** ***"},
		{"myannabelle", state, "myannabelle"},
		{"score open 1 Ann annabel", key, "score open 1 *** annabel"},
	} {
		got := n.mask([]byte(c.text), c.use)
		marked := []byte(c.text)
		for _, s := range got.Masked {
			for i := s.At; i < s.At+s.N; i++ {
				marked[i] = '*'
			}
		}
		if string(marked) != c.masked {
			t.Errorf("%q (%d): replaced %q, want %q", c.text, c.use, marked, c.masked)
		}
		if len(got.Bytes) != len(c.text) || !got.Same([]byte(c.text)) || len(got.Masked) > 0 && string(got.Bytes) == c.text {
			t.Errorf("%q became %q", c.text, got.Bytes)
		}
	}
	if x := (Text{Bytes: []byte("abc"), Masked: []Span{{1, 1}}}); !x.Same([]byte("aXc")) || x.Same([]byte("Xbc")) || x.Same([]byte("abX")) || x.Same([]byte("ab")) {
		t.Error("Same compares the wrong bytes")
	}
}

// known are the strings and bytes that the types of a recording have, each looked at: those that are not in classes hold nothing of people's.
var known = `abi.Fault.Kind abi.Fault.Message abi.Fault.Plugin saved.Decided.Digest saved.Decided.Plugin saved.Decided.Rule saved.Door.Name
saved.File.Region saved.File.Venue saved.Fork.Op saved.Fork.Rule saved.ForkedFile.Rule saved.Key.Key saved.Key.Rule saved.Key.User saved.Key.Value
saved.Key.Zone saved.Leave.User saved.Lent.Name saved.Lent.To saved.Mark.Rule saved.Move.User saved.Object.Name saved.Person.User saved.Place.Region saved.Schema.Rule saved.Score.Board saved.Score.Rule
saved.Score.User saved.Signal.Data saved.Signal.From saved.Signal.Region saved.Signal.Rule saved.Signal.Topic saved.Signal.User saved.Timer.Rule saved.Timer.Zone
saved.User.Floor saved.User.Name saved.User.User saved.User.Zones scene.Module.Digest scene.Module.Name scene.Module.Version scene.Place.User
scene.RuleFault.Digest scene.RuleFault.Plugin scene.RuleFault.Rule scene.StateSum.Hash scene.SwapEvent.Reason scene.SwapEvent.Rule
stream.Entity.Name stream.Entity.User stream.Event.Body stream.Event.Digest stream.Event.Rule stream.Event.Type stream.Input.Data
stream.Flight.To scene.Effects.Refused scene.LiveFlight.To stream.Input.Name stream.Input.Spawn stream.Input.Topic stream.Input.User stream.RegionMessage.Data stream.RegionMessage.Digest
stream.RegionMessage.From stream.RegionMessage.Plugin stream.RegionMessage.Rule stream.RegionMessage.Sender stream.RegionMessage.To
stream.RegionMessage.Topic stream.RegionMessage.User`

// TestEveryStringIsLookedAt: whoever gives one of these types another string decides here whose it is.
func TestEveryStringIsLookedAt(t *testing.T) {
	fine := map[string]bool{}
	for _, f := range strings.Fields(known) {
		fine[f] = true
	}
	seen := map[reflect.Type]bool{}
	var look func(typ reflect.Type, where string)
	look = func(typ reflect.Type, where string) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Array:
			look(typ.Elem(), where)
		case reflect.Slice:
			if typ.Elem().Kind() != reflect.Uint8 {
				look(typ.Elem(), where)
			} else if !fine[where] {
				t.Errorf("%s has bytes that this test does not know: see classes in digest.go, then name it here", where)
			}
		case reflect.String:
			if !fine[where] {
				t.Errorf("%s is a string that this test does not know: if it may name people, give it a class in digest.go; then name it here", where)
			}
		case reflect.Struct:
			if seen[typ] {
				return
			}
			seen[typ] = true
			for i := range typ.NumField() {
				f := typ.Field(i)
				if !f.IsExported() {
					t.Errorf("%s.%s is not exported: it can be neither compared nor replaced", typ, f.Name)
				}
				if where := typ.String() + "." + f.Name; classes[where] != skip || where == "saved.Record.Events" {
					look(f.Type, where)
				}
			}
		case reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
			t.Errorf("%s is a %s: it can be neither compared nor replaced", where, typ.Kind())
		}
	}
	for _, x := range []any{scene.Effects{}, scene.Live{}, stream.Input{}} {
		look(reflect.TypeOf(x), "")
	}
	for name := range classes {
		typ := name[:strings.LastIndexByte(name, '.')]
		if !strings.Contains(known, name) && classes[name] != skip {
			t.Errorf("classes names %s, which no type has (%s)", name, typ)
		}
	}
}

// TestHideLeavesNoName walks over a start state with everything in it.
func TestHideLeavesNoName(t *testing.T) {
	file := record(t, 10)
	rd, err := NewReader(strings.NewReader(string(file)))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	h, err := json.Marshal(rd.Header())
	if err != nil {
		t.Fatal(err)
	}
	if s := string(h); strings.Contains(s, "secret") || strings.Contains(s, "Secret") || !strings.Contains(s, `"u1"`) {
		t.Errorf("the header is\n%s", h)
	}
}
