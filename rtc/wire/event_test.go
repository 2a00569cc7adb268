package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// genUp draws messages whose rotation has one largest component: with two, the text may name the other.
var genUp = rapid.Custom(func(t *rapid.T) Up {
	u := Up{T: rapid.SampledFrom([]string{UpGrab, UpRelease, UpUse, UpMsg, UpBye, UpSpeaking}).Draw(t, "t")}
	if u.T == UpSpeaking {
		u.On = rapid.Bool().Draw(t, "on")
		return u
	}
	if u.T == UpBye {
		return u
	}
	u.N = rapid.Uint32Range(1, math.MaxUint32).Draw(t, "n")
	u.TS = rapid.Int64Range(0, math.MaxInt64).Draw(t, "ts")
	if u.T == UpMsg {
		u.Topic = rapid.StringN(1, 16, MaxTopic).Draw(t, "topic")
		if rapid.Bool().Draw(t, "has data") {
			u.Data = json.RawMessage(`{"a":[1,"b",null]}`)
		}
		return u
	}
	u.Object = rapid.Uint64Range(1, math.MaxUint64).Draw(t, "object")
	u.Hand = rapid.Uint8Range(0, 1).Draw(t, "hand")
	c := rapid.Int16Range(-500, 500)
	u.HandAt = lattice.Joint{Pos: genPos.Draw(t, "p"), Rot: lattice.Rot{Largest: rapid.Uint8Range(0, 3).Draw(t, "largest"), C: [3]int16{c.Draw(t, "a"), c.Draw(t, "b"), c.Draw(t, "c")}}}
	return u
})

func TestUpRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genUp.Draw(t, "up")
		var got Up
		if err := DecodeUp(want.Append(nil), &got); err != nil {
			t.Fatalf("%s: %v", want.Append(nil), err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestDecodeUpRefuses(t *testing.T) {
	grab := func(change ...string) string {
		m := `{"t":"grab","n":5,"ts":100,"object":"12","hand":"left","p":[1,2,3],"q":[0,0,0,1]}`
		return strings.NewReplacer(change...).Replace(m)
	}
	msg := func(data string) string {
		return `{"t":"msg","n":6,"ts":1,"topic":"chat","data":` + data + `}`
	}
	for _, c := range []struct {
		name, in string
		code     Code
		field    string
		says     string
	}{
		{"empty", ``, CodeBadMessage, "text", "not a JSON object"},
		{"array", `[]`, CodeBadMessage, "text", "not a JSON object"},
		{"cut short", `{"t":"grab","n":5`, CodeBadMessage, "text", "cut short"},
		{"cut in a value", `{"t":"gra`, CodeBadMessage, "text", "cut short"},
		{"syntax", `{"t":"bye",}`, CodeBadMessage, "text", "not JSON"},
		{"two objects", `{"t":"bye"}{}`, CodeBadMessage, "text", "something follows"},
		{"not UTF-8", "{\"t\":\"\xff\"}", CodeBadMessage, "text", "not UTF-8"},
		{"too long", msg(`"` + strings.Repeat("a", MaxEvent) + `"`), CodeBadMessage, "length", "at most 4096"},
		{"no type", `{"n":1}`, CodeBadMessage, "t", "missing"},
		{"type is a number", `{"t":1}`, CodeBadField, "t", "want a string"},
		{"nearly a type", `{"t":"grap"}`, CodeBadMessage, "t", `did you mean "grab"?`},
		{"no type at all like it", `{"t":"teleportation"}`, CodeBadMessage, "t", "known are grab, release, use, msg, bye"},
		{"doubled", grab(`"n":5`, `"n":5,"n":6`), CodeBadMessage, `"n"`, "given twice"},
		{"unknown field", grab(`"hand"`, `"hnd"`), CodeBadMessage, `"hnd"`, `unknown field of grab; did you mean "hand"?`},
		{"case matters", grab(`"hand"`, `"Hand"`), CodeBadMessage, `"Hand"`, `did you mean "hand"?`},
		{"speaking without on", `{"t":"speaking"}`, CodeBadMessage, "on", "missing in a message of type speaking"},
		{"on that is no boolean", `{"t":"speaking","on":1}`, CodeBadField, "on", "want true or false"},
		{"a numbered speaking", `{"t":"speaking","on":true,"n":1}`, CodeBadMessage, `"n"`, "unknown field of speaking"},
		{"field of another type", `{"t":"bye","n":1}`, CodeBadMessage, `"n"`, "unknown field of bye"},
		{"missing field", grab(`"object":"12",`, ``), CodeBadMessage, "object", "missing in a message of type grab"},
		{"n is 0", grab(`"n":5`, `"n":0`), CodeBadField, "n", "from 1"},
		{"n is negative", grab(`"n":5`, `"n":-1`), CodeBadField, "n", "from 1"},
		{"n is too large", grab(`"n":5`, `"n":4294967296`), CodeBadField, "n", "from 1"},
		{"n has a fraction", grab(`"n":5`, `"n":5.5`), CodeBadField, "n", "from 1"},
		{"ts is negative", grab(`"ts":100`, `"ts":-1`), CodeBadField, "ts", "from 0"},
		{"ts is null", grab(`"ts":100`, `"ts":null`), CodeBadField, "ts", "from 0"},
		{"object is a number", grab(`"12"`, `12`), CodeBadField, "object", "want a string"},
		{"object is not decimal", grab(`"12"`, `"0x12"`), CodeBadField, "object", "decimal string"},
		{"object has zeros in front", grab(`"12"`, `"012"`), CodeBadField, "object", "decimal string"},
		{"object is empty", grab(`"12"`, `""`), CodeBadField, "object", "decimal string"},
		{"object is above 64 bits", grab(`"12"`, `"18446744073709551616"`), CodeBadField, "object", "decimal string"},
		{"hand", grab(`"left"`, `"both"`), CodeBadField, "hand", `want "left" or "right"`},
		{"p is short", grab(`[1,2,3]`, `[1,2]`), CodeBadField, "p", "array of 3 numbers"},
		{"p is an object", grab(`[1,2,3]`, `{"x":1}`), CodeBadField, "p", "array of 3 numbers"},
		{"p has null", grab(`[1,2,3]`, `[1,null,3]`), CodeBadField, "p[1]", "want a number"},
		{"p has a string", grab(`[1,2,3]`, `[1,2,"3"]`), CodeBadField, "p[2]", "want a number"},
		{"p is infinite", grab(`[1,2,3]`, `[1e999,2,3]`), CodeBadField, "p[0]", "not a finite number"},
		{"p is far away", grab(`[1,2,3]`, `[1,2e7,3]`), CodeBadField, "p", "y: outside"},
		{"q is not unit", grab(`[0,0,0,1]`, `[0,0,0,2]`), CodeBadField, "q", "not a unit quaternion"},
		{"q is zero", grab(`[0,0,0,1]`, `[0,0,0,0]`), CodeBadField, "q", "not a unit quaternion"},
		{"topic is empty", `{"t":"msg","n":6,"ts":1,"topic":""}`, CodeBadField, "topic", "want 1 to 64"},
		{"topic is long", `{"t":"msg","n":6,"ts":1,"topic":"` + strings.Repeat("x", 65) + `"}`, CodeBadField, "topic", "65 bytes"},
		{"data is long", msg(`"` + strings.Repeat("a", MaxData) + `"`), CodeBadField, "data", "at most 1024"},
	} {
		var u Up
		err := DecodeUp([]byte(c.in), &u)
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code || e.Field != c.field || !strings.Contains(e.Msg, c.says) {
			t.Errorf("%s: %v; want %v, field %s and %q", c.name, err, c.code, c.field, c.says)
		}
		if strings.Contains(c.in, `"n":5,"ts"`) && u.N != 5 {
			t.Errorf("%s: the number of the input is lost", c.name)
		}
	}
}

func TestDownRoundTrip(t *testing.T) {
	welcome := &Welcome{
		V: Version, Venue: "hall", Session: math.MaxUint64, Entity: 1<<53 + 1, User: "u1", Name: `Zoë "the" <one>`, Region: "ground",
		TimeUS: 5, Tick: 7, TickUS: 33333, T0US: -4, PhaseUS: 4166, UploadHz: 30, SendHz: 30, Lattice: lattice.Steps, Resume: "r.e.s",
		GraceMS: 10000, Cursor: 3, Resumed: true, P: Point{X: 1, Y: 1700, Z: -5}, Q: Quat{Largest: 2, C: [3]int16{5, -6, 7}},
		Kinds: []Kind{{"cup", true, false, "cylinder", []float64{0.1, 0.2, 0.1}, "#ff0000"}},
		ICE:   []ICEServer{{URLs: []string{"turn:host:3478"}, Username: "a", Credential: "b"}},
	}
	ev := func(typ, body string) []byte {
		return AppendEvent(nil, "ground", &stream.Event{N: 9, Tick: 8, TimeUS: 7, Session: 6, Seq: 5, Type: typ, Rule: "grab@1.2.0", Body: []byte(body)}, 6)
	}
	key := Down{Region: "ground", N: 9, TS: 7, Tick: 8, Seq: 5, Rule: "grab@1.2.0"}
	with := func(t string, change func(d *Down)) *Down {
		d := key
		d.T = t
		change(&d)
		return &d
	}
	for _, c := range []struct {
		b    []byte
		want *Down
	}{
		{welcome.Append(nil), &Down{T: DownWelcome, Tick: 7, Region: "ground", Welcome: welcome}},
		{(&Ack{Seq: 5, Tick: 6, OK: true}).Append(nil), &Down{T: DownAck, Seq: 5, Tick: 6, OK: true}},
		{(&Ack{Seq: 5, Tick: 6, OK: true, Times: Times{7, 8, 9}}).Append(nil), &Down{T: DownAck, Seq: 5, Tick: 6, OK: true, Times: Times{7, 8, 9}}},
		{(&Ack{Seq: 5, Tick: 6, Code: CodeDeniedHeld, Msg: "by Zoë"}).Append(nil), &Down{T: DownAck, Seq: 5, Tick: 6, Code: CodeDeniedHeld, Name: "denied_held", Msg: "by Zoë"}},
		{AppendDurable(nil, 1<<40), &Down{T: DownDurable, Tick: 1 << 40}},
		{AppendError(nil, &Error{CodeBadField, "p[1]", `"x"`}, 4), &Down{T: DownError, Code: CodeBadField, Name: "bad_field", Field: "p[1]", Msg: `"x"`, Seq: 4}},
		{AppendClose(nil, CodeKicked, ""), &Down{T: DownClose, Code: CodeKicked, Name: "kicked", Msg: "An admin ended the session.", Retry: RetryNo}},
		{AppendClose(nil, CodeServerShutdown, "back at noon"), &Down{T: DownClose, Code: CodeServerShutdown, Name: "server_shutdown", Msg: "back at noon", Retry: RetryResume}},
		{AppendResync(nil, "ground"), &Down{T: DownResync, Region: "ground"}},
		{ev("grabbed", `{"object":"12","by":"34","hand":"left"}`), with("grabbed", func(d *Down) { d.Object, d.By, d.Hand = 12, 34, "left" })},
		{ev("released", ` {"object":"12","by":"34","p":[0.5,1,-2],"q":[0,0,0,1]} `), with("released", func(d *Down) { d.Object, d.By, d.HasP, d.P = 12, 34, true, Point{512, 1024, -2048} })},
		{ev("door", `{"door":"3","open":true,"locked":false}`), with("door", func(d *Down) { d.Door, d.Open = 3, true })},
		{ev("score", `{"board":"wins","entity":"8","delta":-3}`), with("score", func(d *Down) { d.Board, d.Entity, d.Delta = "wins", 8, -3 })},
		{ev("rule", `{"rule":"own@2","name":"bell","data":[1]}`), with("rule", func(d *Down) { d.Rule, d.Name, d.Data = "own@2", "bell", json.RawMessage("[1]") })},
		{ev("state", `{"object":"12","value":4294967295}`), with("state", func(d *Down) { d.Object, d.Value = 12, math.MaxUint32 })},
		{ev("denied", `{"object":"12","code":111,"name":"denied_held","msg":"m"}`), with("denied", func(d *Down) { d.Object, d.Code, d.Name, d.Msg = 12, 111, "denied_held", "m" })},
		{ev("left", ``), with("left", func(*Down) {})},
		{ev("left", `{}`), with("left", func(*Down) {})},
		{ev("left", `"not an object"`), with("left", func(*Down) {})},
		{ev("from the future", `{"entity":"5","more":{}}`), with("from the future", func(d *Down) { d.Entity = 5 })},
	} {
		if !json.Valid(c.b) {
			t.Errorf("not JSON: %s", c.b)
			continue
		}
		got, err := DecodeDown(c.b)
		if err != nil {
			t.Errorf("%s: %v", c.b, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.b, d)
		}
	}
	other := AppendEvent(nil, "g", &stream.Event{Session: 6, Seq: 5, Type: "door"}, 7)
	if want := `{"t":"door","r":"g","n":0,"ts":0,"tick":0}`; string(other) != want {
		t.Errorf("for another session: %s, want %s", other, want)
	}
}

func TestDecodeDownRefuses(t *testing.T) {
	for _, c := range []struct {
		in   string
		code Code
		says string
	}{
		{``, CodeBadMessage, "text"},
		{`{}`, CodeBadMessage, "t: missing"},
		{"{\"t\":\"\xff\"}", CodeBadMessage, "not UTF-8"},
		{`{"t":"grabbed","object":12}`, CodeBadMessage, "decimal string"},
		{`{"t":"released","p":[1,2]}`, CodeBadMessage, "array of 3"},
		{`{"t":"welcome","v":2}`, CodeBadVersion, "protocol version 2"},
		{`{"t":"welcome","v":1}`, CodeBadField, "tick_us"},
		{`{"t":"welcome","v":1,"session":5}`, CodeBadMessage, "decimal string"},
		{`{"t":"x","msg":"` + strings.Repeat("a", MaxWelcome) + `"}`, CodeBadMessage, "at most"},
	} {
		d, err := DecodeDown([]byte(c.in))
		if d != nil || wantCode(err) != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60s: %v; want %v and %q", c.in, err, c.code, c.says)
		}
	}
}

// TestEveryLatticePointSurvivesJSON: what is written in metres reads as the same point.
func TestEveryLatticePointSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Point(genPos.Draw(t, "p"))
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var got Point
		if err := json.Unmarshal(b, &got); err != nil || got != p {
			t.Fatalf("%v as %s came back as %v, %v", p, b, got, err)
		}
	})
}

func TestCodes(t *testing.T) {
	for _, e := range codes {
		if c, ok := CodeByName(e.name); !ok || c != e.code {
			t.Errorf("CodeByName(%q) = %d, %v", e.name, c, ok)
		}
		c := e.code
		if c.Name() != e.name || c.Meaning() != e.meaning || c.Retry() != e.retry || c.Then() != e.then || c.Close() != (c >= 3000) {
			t.Errorf("%d: %s %s %s", c, c.Name(), c.Meaning(), c.Retry())
		}
	}
	if !slices.IsSortedFunc(codes[:], func(a, b codeEntry) int { return int(a.code) - int(b.code) }) {
		t.Error("codes are not sorted")
	}
	for c, want := range map[Code]string{499: RetryNo, 3499: RetryResume, 3999: RetryLater, 4499: RetryNo} {
		if c.Retry() != want || c.Meaning() != "" || !strings.HasPrefix(c.Name(), "code_") {
			t.Errorf("unknown code %d: %s %q %q", c, c.Retry(), c.Name(), c.Meaning())
		}
	}
	if _, ok := CodeByName("no such name"); ok {
		t.Error("found a code that is not")
	}
}

// dearBase is what reading takes whatever the length is: an error with its text, above all.
const dearBase = 2048

// leastAllocated returns how much a function allocates: other goroutines of the process may allocate meanwhile, but not each time.
func leastAllocated(f func()) uint64 {
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// dearMessages are made to be dear to read: as many parts as there is room for.
func dearMessages() map[string][]byte {
	many := []byte(`{"t":"bye"`)
	for i := 0; len(many) < 4000; i++ {
		many = fmt.Appendf(many, `,"%x":0`, i)
	}
	msg := func(topic, data string) []byte {
		return fmt.Appendf(nil, `{"t":"msg","n":1,"ts":1,"topic":"%s","data":%s}`, topic, data)
	}
	return map[string][]byte{
		"fields":  append(many, '}'),
		"arrays":  msg("x", strings.Repeat("[", 1990)+strings.Repeat("]", 1990)),
		"objects": msg("x", strings.Repeat(`{"a":`, 600)+"1"+strings.Repeat("}", 600)),
		"escapes": msg(strings.Repeat(`\u0041`, 600), "1"),
		"list":    msg("x", "["+strings.Repeat("0,", 1900)+"0]"),
		"point":   []byte(`{"t":"grab","n":1,"ts":1,"object":"7","hand":"left","p":[` + strings.Repeat("0,", 1900) + `0],"q":[0,0,0,1]}`),
		"digits":  []byte(`{"t":"grab","n":` + strings.Repeat("1", 4000) + `}`),
		"object":  []byte(`{"t":"use","n":1,"ts":1,"object":"` + strings.Repeat("1", 4000) + `"}`),
		"type":    []byte(`{"t":"` + strings.Repeat("g", 4000) + `"}`),
		"name":    []byte(`{"t":"bye","` + strings.Repeat("g", 4000) + `":1}`),
		"cut":     []byte(`{"t":"msg","data":[` + strings.Repeat("0,", 1900)),
	}
}

// What a message takes to read is in proportion to its length, whatever it is made of.
func TestReadingMessagesIsBounded(t *testing.T) {
	for name, b := range dearMessages() {
		var u Up
		if err := DecodeUp(b, &u); err == nil || len(b) > MaxEvent {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
		if n := leastAllocated(func() { DecodeUp(b, &u) }); n > 4*uint64(len(b))+dearBase { //nolint:errcheck // asked above
			t.Errorf("%s: %d bytes took %d", name, len(b), n)
		}
	}
}

func FuzzDecodeUp(f *testing.F) {
	f.Add([]byte(`{"t":"grab","n":5,"ts":100,"object":"12","hand":"left","p":[1,2,3],"q":[0,0,0,1]}`))
	f.Add([]byte(`{"t":"msg","n":6,"ts":7,"topic":"chat","data":{"x":[1e5,"\u00e9"]}}`))
	f.Add([]byte(` { "t" : "bye" } `))
	for _, b := range dearMessages() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var u, again Up
		if err := DecodeUp(b, &u); err != nil {
			if wantCode(err) == 0 {
				t.Fatalf("%T", err)
			}
			return
		}
		if err := DecodeUp(u.Append(nil), &again); err != nil {
			t.Fatalf("%s: %v", u.Append(nil), err)
		}
		again.HandAt.Rot, u.HandAt.Rot = lattice.Rot{}, lattice.Rot{} // with two largest components either may be named
		if d := cmp.Diff(u, again); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzDecodeDown(f *testing.F) {
	f.Add((&Welcome{V: 1, Session: 1, Entity: 2, TickUS: 3, UploadHz: 30, SendHz: 30, Kinds: []Kind{{Name: "cup"}}}).Append(nil))
	f.Add((&Ack{Seq: 5, Code: CodeDeniedHeld}).Append(nil))
	f.Add(AppendEvent(nil, "r", &stream.Event{Type: "released", Body: []byte(`{"object":"1","p":[1,2,3],"q":[0,0,0,1]}`)}, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := DecodeDown(b)
		if (d == nil) == (err == nil) || err != nil && wantCode(err) == 0 {
			t.Fatalf("%v, %v", d, err)
		}
	})
}

// FuzzAppendEvent: whatever a body is, the message is JSON with the envelope intact.
func FuzzAppendEvent(f *testing.F) {
	f.Add([]byte(`{"object":"12"}`), "grab@1")
	f.Add([]byte(`{"rule":"x"} `), "")
	f.Add([]byte(`{`), "\xff")
	f.Fuzz(func(t *testing.T, body []byte, rule string) {
		b := AppendEvent(nil, "region", &stream.Event{N: 1, Type: "rule", Rule: rule, Body: body}, 0)
		if !json.Valid(b) || !strings.HasPrefix(string(b), `{"t":"rule","r":"region","n":1,"ts":0,"tick":0`) {
			t.Fatalf("%s", b)
		}
	})
}
