package saved

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// Handover is people on their way from one region to another, with everything that goes along: what they hold, and what rules keep
// for them and for that.
type Handover struct {
	Tick    uint64      `json:"tick"` // of the sender, as of which the bodies are
	Users   []Traveller `json:"users"`
	Objects []Object    `json:"objects,omitempty"`
	Keys    []Key       `json:"keys,omitempty"` // of users and of objects
	Timers  []Timer     `json:"timers,omitempty"`
	Schemas []Schema    `json:"schemas,omitempty"` // layouts of Keys
	Marks   []Mark      `json:"marks,omitempty"`
}

// Traveller is a person of a Handover.
type Traveller struct {
	User
	State     stream.State `json:"state"`
	Budget    int64        `json:"budget"` // steps the head may still move, as of the Handover's Tick
	HasPose   bool         `json:"has_pose,omitempty"`
	PoseSeq   uint16       `json:"pose_seq,omitempty"`
	Settle    uint64       `json:"settle,omitempty"`     // before this tick, samples far from a teleport's target are old ones
	CorrectAt uint64       `json:"correct_at,omitempty"` // the first tick that may correct the person again
}

// Mark is what a region knows of the faults that a person's events caused in a rule. Ticks are the venue's.
type Mark struct {
	Rule    string `json:"rule"`
	Who     Person `json:"who"`
	Faults  int    `json:"faults"`
	Blocks  int    `json:"blocks"`
	Last    uint64 `json:"last"`
	Until   uint64 `json:"until"`
	Doubts  int    `json:"doubts,omitempty"`
	Doubted uint64 `json:"doubted,omitempty"`
	Passes  int    `json:"passes,omitempty"`
}

// Encode writes a hand-over as messages between regions carry it. Equal ones give equal bytes.
func (h *Handover) Encode() ([]byte, error) {
	b, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("hand-over: %w", err)
	}
	return b, nil
}

// DecodeHandover reads what Encode wrote and checks it.
func DecodeHandover(b []byte) (*Handover, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	h := &Handover{}
	if err := dec.Decode(h); err != nil {
		return nil, fmt.Errorf("hand-over: not readable (is the other region of another release?): %w", err)
	}
	if dec.More() {
		return nil, fmt.Errorf("hand-over: more than one value")
	}
	if err := h.Check(); err != nil {
		return nil, err
	}
	return h, nil
}

// Check says what is wrong with a hand-over, as far as it does not depend on the region that takes it.
func (h *Handover) Check() error {
	ids, sessions, hands := map[uint64]bool{}, map[uint64]bool{}, map[uint64]int{}
	for i := range h.Users {
		u := &h.Users[i]
		switch {
		case u.ID == 0 || ids[u.ID]:
			return fmt.Errorf("hand-over: users[%d]: entity id %d is zero or there twice", i, u.ID)
		case u.Session == 0 || sessions[u.Session]:
			return fmt.Errorf("hand-over: users[%d]: session %d is zero or there twice", i, u.Session)
		case u.Person().IsRule():
			return fmt.Errorf("hand-over: users[%d]: %q is nobody's id", i, u.User.User)
		}
		for _, j := range [...]lattice.Joint{u.Body.Head, u.Body.Left, u.Body.Right} {
			if err := CheckJoint(j); err != nil {
				return fmt.Errorf("hand-over: users[%d]: body: %w", i, err)
			}
		}
		ids[u.ID], sessions[u.Session] = true, true
	}
	for i := range h.Objects {
		o := &h.Objects[i]
		switch {
		case o.ID == 0 || ids[o.ID]:
			return fmt.Errorf("hand-over: objects[%d]: entity id %d is zero or there twice", i, o.ID)
		case o.Hand > 1:
			return fmt.Errorf("hand-over: objects[%d]: hand %d is neither 0 nor 1", i, o.Hand)
		case o.Holder != 0 && (!ids[o.Holder] || hands[o.Holder]&(1<<o.Hand) != 0):
			return fmt.Errorf("hand-over: objects[%d]: its holder %d is not among the users, or holds two in one hand", i, o.Holder)
		}
		for _, j := range [...]lattice.Joint{o.Pose, o.Offset} {
			if err := CheckJoint(j); err != nil {
				return fmt.Errorf("hand-over: objects[%d]: %w", i, err)
			}
		}
		if o.Holder != 0 {
			hands[o.Holder] |= 1 << o.Hand
		}
	}
	for i := range h.Objects {
		// Only now: no object is another's holder.
		ids[h.Objects[i].ID] = true
	}
	if len(ids) != len(h.Users)+len(h.Objects) {
		return fmt.Errorf("hand-over: an entity id is there twice")
	}
	return nil
}

// CheckJoint says what is wrong with a place of the venue.
func CheckJoint(j lattice.Joint) error {
	const most = lattice.MaxMetres * lattice.Steps
	for _, c := range [...]int32{j.Pos.X, j.Pos.Y, j.Pos.Z} {
		if c > most || c < -most {
			return fmt.Errorf("position: %w", lattice.ErrOutOfBounds)
		}
	}
	if !j.Rot.Valid() {
		return fmt.Errorf("rotation: %w", lattice.ErrNotUnit)
	}
	return nil
}

// Person is who it is.
func (u *User) Person() Person { return Person{u.User, u.Load} }
