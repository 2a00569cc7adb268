package migration

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples has a message of every kind.
func samples() []*Message {
	st := Stamp{Incarnation: 7, Term: 3, Epoch: 5}
	m := func(k Kind) *Message {
		return &Message{Kind: k, From: "a", To: "b", Region: "hall", Move: 9, Stamp: st}
	}
	prepare, begin, route, state, records, final, have, refused := m(KindPrepare), m(KindBegin), m(KindRoute), m(KindState), m(KindRecords),
		m(KindFinal), m(KindHave), m(KindRefused)
	prepare.Source, begin.Target, route.Target, route.Move = "a", "b", "b", 0
	state.Part, state.Parts, state.Data = 1, 2, []byte("{}")
	records.First, records.Records = 4, []Record{{Tick: 12, Data: []byte("{}")}}
	final.Final = &Final{Tick: 12, Records: 4, Durable: 11, Rest: []byte("{}"), Hash: make([]byte, hashBytes), Inputs: []byte{1}}
	have.Have, refused.Reason = 4, "no"
	report := &Message{Kind: KindReport, From: "a", To: Coordinators, Report: &Report{
		Start: 1, Draining: true, Seats: []SeatReport{{Region: "hall", State: Stopped, Move: 9, Stamp: st}},
	}}
	return []*Message{prepare, begin, m(KindSwitch), m(KindAbort), m(KindRelease), m(KindRecover), route, state, records, final, m(KindHold),
		m(KindLoaded), have, m(KindTaken), refused, m(KindEnded), report}
}

func TestMessagesRoundTrip(t *testing.T) {
	seen := map[Kind]bool{}
	for _, m := range samples() {
		seen[m.Kind] = true
		b, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(b)
		if err != nil {
			t.Errorf("%s: %v", m.Kind, err)
			continue
		}
		if d := cmp.Diff(m, got); d != "" {
			t.Errorf("%s: %s", m.Kind, d)
		}
	}
	for k := range kinds {
		if !seen[k] {
			t.Errorf("no sample of kind %s", k)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ in, says string }{
		"empty":        {``, "EOF"},
		"unknown kind": {`{"kind":"rename","from":"a","to":"b","region":"r","epoch":1}`, `"rename" is not one`},
		"unknown key":  {`{"kind":"switch","from":"a","to":"b","region":"r","move":1,"epoch":1,"speed":2}`, "speed"},
		"no region":    {`{"kind":"switch","from":"a","to":"b","move":1,"epoch":1}`, "region is missing"},
		"no sender":    {`{"kind":"switch","to":"b","region":"r","move":1,"epoch":1}`, "from or to"},
		"no move":      {`{"kind":"switch","from":"a","to":"b","region":"r","epoch":1}`, "move is missing"},
		"no target":    {`{"kind":"begin","from":"a","to":"b","region":"r","move":1,"epoch":1}`, "target"},
		"no source":    {`{"kind":"prepare","from":"a","to":"b","region":"r","move":1,"epoch":1}`, "source"},
		"part":         {`{"kind":"state","from":"a","to":"b","region":"r","move":1,"epoch":1,"part":2,"parts":2}`, "part"},
		"parts":        {`{"kind":"state","from":"a","to":"b","region":"r","move":1,"epoch":1,"parts":100000}`, "of 100000"},
		"negative":     {`{"kind":"state","from":"a","to":"b","region":"r","move":1,"epoch":1,"part":-1,"parts":2}`, "part -1"},
		"first":        {`{"kind":"records","from":"a","to":"b","region":"r","move":1,"epoch":1}`, "first"},
		"final":        {`{"kind":"final","from":"a","to":"b","region":"r","move":1,"epoch":1}`, "final or move"},
		"hash":         {`{"kind":"final","from":"a","to":"b","region":"r","move":1,"epoch":1,"final":{"hash":"AAAA"}}`, "hash of 32"},
		"report":       {`{"kind":"report","from":"a","to":"b","epoch":0}`, "report is missing"},
		"seat":         {`{"kind":"report","from":"a","to":"b","epoch":0,"report":{"seats":[{"region":"r","state":"gone"}]}}`, `"gone"`},
		"two":          {`{"kind":"switch","from":"a","to":"b","region":"r","move":1,"epoch":1}{}`, "follows"},
		"long name":    {`{"kind":"switch","from":"` + strings.Repeat("a", 300) + `","to":"b","region":"r","move":1,"epoch":1}`, "300 bytes"},
		"long reason":  {`{"kind":"abort","from":"a","to":"b","region":"r","move":1,"epoch":1,"reason":"` + strings.Repeat("a", 2000) + `"}`, "2000 bytes"},
	} {
		if _, err := Decode([]byte(c.in)); !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want it to say %q", name, err, c.says)
		}
	}
	if _, err := Decode(make([]byte, MaxMessage+1)); !errors.Is(err, ErrMalformed) {
		t.Errorf("too long: %v", err)
	}
}

func TestEntries(t *testing.T) {
	e := Entry{Region: "hall", Version: 2, Term: 3, Owner: "a", Epoch: 5, Move: &Intent{ID: 1, Source: "a", Target: "b", Epoch: 6}}
	b, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeEntry(b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&e, got); d != "" {
		t.Fatal(d)
	}
	before := Entry{Region: "hall", Version: 1, Term: 3}
	later := Entry{Region: "hall", Version: 1, Term: 4}
	for name, c := range map[string]struct {
		old *Entry
		ok  bool
	}{"next": {&before, true}, "of a coordinator that was followed": {&later, false}, "none yet": {nil, false}, "itself": {&e, false}} {
		if err := e.Follows(c.old); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrOutdated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, in := range []string{``, `{}`, `{"region":"r","version":0}`, `{"region":"r","version":1,"x":1}`, `{"region":"r","version":1} 1`,
		`{"region":"r","version":1,"move":{"id":1,"source":"a","target":"a"}}`, `{"region":"r","version":1,"move":{"id":0,"source":"a","target":"b"}}`} {
		if _, err := DecodeEntry([]byte(in)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, m := range samples() {
		b, err := m.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b)
		if err != nil {
			if !errors.Is(err, ErrMalformed) || m != nil {
				t.Fatalf("%v, %v", m, err)
			}
			return
		}
		once, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		twice, err := again.Encode()
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s\n%s\n%v", once, twice, err)
		}
	})
}

func FuzzDecodeEntry(f *testing.F) {
	f.Add([]byte(`{"region":"hall","version":2,"term":3,"owner":"a","epoch":5,"move":{"id":1,"source":"a","target":"b","epoch":6}}`))
	f.Add([]byte(`{"region":"hall","version":1,"term":0,"owner":"","epoch":0}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := DecodeEntry(b)
		if err != nil {
			if !errors.Is(err, ErrMalformed) || e != nil {
				t.Fatalf("%v, %v", e, err)
			}
			return
		}
		once, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := DecodeEntry(once); err != nil || !cmp.Equal(e, again) {
			t.Fatalf("%s: %v", once, err)
		}
	})
}
