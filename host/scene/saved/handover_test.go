package saved

import (
	"bytes"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/lattice"
)

func someHandover() *Handover {
	return &Handover{
		Tick:    7,
		Users:   []Traveller{{User: User{Session: 3, ID: 4, User: "ada", Name: "Ada", Floor: "hall", Cursor: 9, Hops: 1}, Budget: 5, PoseSeq: 2}},
		Objects: []Object{{ID: 5, Name: "cup", Holder: 4, Hand: 1, Hops: 2}, {ID: 6, Name: "jug"}},
		Keys:    []Key{{Rule: "keeper", Scope: abi.ScopeUser, User: "ada", Key: []byte("said"), Value: []byte{0, 255}}},
		Timers:  []Timer{{Rule: "keeper", Scope: abi.ScopeUser, Subject: 4, ID: 1, DueUS: 9}},
		Schemas: []Schema{{Rule: "keeper", Schema: 2}},
		Marks:   []Mark{{Rule: "keeper", Who: Person{User: "ada"}, Faults: 1}},
	}
}

// TestDecodeHandoverRefuses what no region can have sent, and says what is wrong with it.
func TestDecodeHandoverRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(h *Handover)
		want  string
	}{
		{"id", func(h *Handover) { h.Users[0].ID = 0 }, "users[0]: entity id 0"},
		{"session", func(h *Handover) { h.Users[0].Session = 0 }, "users[0]: session 0"},
		{"twice", func(h *Handover) { h.Users = append(h.Users, h.Users[0]) }, "users[1]: entity id 4"},
		{"rule", func(h *Handover) { h.Users[0].User.User = RuleMark + "x" }, "nobody's id"},
		{"body", func(h *Handover) { h.Users[0].Body.Left.Pos.Y = (lattice.MaxMetres + 1) * lattice.Steps }, "users[0]: body: position"},
		{"object", func(h *Handover) { h.Objects[0].ID = 0 }, "objects[0]: entity id 0"},
		{"objects", func(h *Handover) { h.Objects[1].ID = 5 }, "there twice"},
		{"hand", func(h *Handover) { h.Objects[0].Hand = 2 }, "objects[0]: hand 2"},
		{"holder", func(h *Handover) { h.Objects[0].Holder = 8 }, "objects[0]: its holder 8"},
		{"full hand", func(h *Handover) { h.Objects[1].Holder, h.Objects[1].Hand = 4, 1 }, "holds two in one hand"},
		{"pose", func(h *Handover) { h.Objects[0].Pose.Rot.C[0] = 30000 }, "objects[0]: rotation"},
	} {
		h := someHandover()
		c.spoil(h)
		b, err := h.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeHandover(b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	for _, text := range []string{"", "{", "[]", `{"tick":1,"users":[],"colour":3}`, `{"tick":1,"users":[]} {}`} {
		if _, err := DecodeHandover([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// FuzzHandover: whatever a message says, it is refused or read the same a second time.
func FuzzHandover(f *testing.F) {
	b, err := someHandover().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"tick":1,"users":[]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeHandover(b)
		if err != nil {
			return
		}
		once, err := h.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeHandover(once)
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		if twice, err := again.Encode(); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v\n%s\n%s", err, once, twice)
		}
	})
}
