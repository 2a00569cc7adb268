package migration

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Kind says what a message is.
type Kind string

// Kinds of message.
const (
	KindPrepare Kind = "prepare" // coordinator to target: a region is coming. Source, Move
	KindBegin   Kind = "begin"   // coordinator to source: give the region away. Target, Move
	KindSwitch  Kind = "switch"  // coordinator to source: stop and say FINAL
	KindAbort   Kind = "abort"   // coordinator to both: give the move up. Reason
	KindRelease Kind = "release" // coordinator to source: the target has it for good. Epoch is the target's
	KindRecover Kind = "recover" // coordinator to a node: take the region from the store, after Epoch
	KindRoute   Kind = "route"   // coordinator to gateways: Target owns the region under Epoch
	KindState   Kind = "state"   // source to target: Part of Parts of the captured region, in Data
	KindRecords Kind = "records" // source to target: Records from number First on
	KindFinal   Kind = "final"   // source to target: Final
	KindHold    Kind = "hold"    // source to gateways: keep inputs, the region is about to have another owner
	KindLoaded  Kind = "loaded"  // target to source and coordinator: the replica stands
	KindHave    Kind = "have"    // target to source: records up to Have are in
	KindTaken   Kind = "taken"   // target to source and coordinator: it owns the region under Epoch
	KindRefused Kind = "refused" // to whoever asked: Reason. To recover: Epoch is the region's
	KindEnded   Kind = "ended"   // source to coordinator: it gave the move up. Reason
	KindReport  Kind = "report"  // node to coordinators: Report
)

var kinds = map[Kind]bool{
	KindPrepare: true, KindBegin: true, KindSwitch: true, KindAbort: true, KindRelease: true, KindRecover: true, KindRoute: true,
	KindState: true, KindRecords: true, KindFinal: true, KindHold: true, KindLoaded: true, KindHave: true, KindTaken: true,
	KindRefused: true, KindEnded: true, KindReport: true,
}

// To everybody of a kind.
const (
	Gateways     = "*gateways"
	Coordinators = "*coordinators"
)

// Stamp says by whose right a message was sent. A receiver refuses what lies below what it has seen.
type Stamp struct {
	Incarnation uint64 `json:"incarnation,omitempty"` // of the lease behind Epoch; 0: the sender does not know it
	Term        uint64 `json:"term,omitempty"`        // of the coordinator whose doing this is; 0: nobody's
	Epoch       uint64 `json:"epoch"`                 // of the region
}

// Message is what coordinators, nodes and gateways send each other about one region, or a node's report of all it has.
type Message struct {
	Kind   Kind   `json:"kind"`
	From   string `json:"from"`
	To     string `json:"to"`
	Region string `json:"region,omitempty"` // name
	Move   uint64 `json:"move,omitempty"`   // number of the move; 0: of none
	Stamp
	Source  string   `json:"source,omitempty"`
	Target  string   `json:"target,omitempty"`
	Part    int      `json:"part,omitempty"`  // 0, 1, 2 ...
	Parts   int      `json:"parts,omitempty"` // how many there are
	Data    []byte   `json:"data,omitempty"`
	First   uint64   `json:"first,omitempty"` // number of Records[0]
	Records []Record `json:"records,omitempty"`
	Have    uint64   `json:"have,omitempty"`
	Final   *Final   `json:"final,omitempty"`
	Report  *Report  `json:"report,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// Record is a log record of a region, as the store has it.
type Record struct {
	Tick uint64 `json:"tick"`
	Data []byte `json:"data"`
}

// Final transfers authority: with it and what came before, the target has all that the source had.
type Final struct {
	Tick    uint64 `json:"tick"`    // T, the last that the source decided
	Records uint64 `json:"records"` // how many were sent since the state
	Durable uint64 `json:"durable"` // the store has everything up to this tick
	Rest    []byte `json:"rest"`    // scene.Live without its Saved
	Hash    []byte `json:"hash"`    // SHA-256 of the region's snapshot after T
	Inputs  []byte `json:"inputs"`  // that the source took and did not decide, in order, as stream.AppendInputs has them
}

// Report is what a node says of itself, to every coordinator, several times a second.
type Report struct {
	Start    uint64       `json:"start"` // tells starts of the node apart
	Draining bool         `json:"draining,omitempty"`
	Seats    []SeatReport `json:"seats"`
}

// SeatReport is a region at a node.
type SeatReport struct {
	Region string `json:"region"`
	State  State  `json:"state"`
	Move   uint64 `json:"move,omitempty"`
	Stamp
}

// Bounds of messages.
const (
	MaxMessage  = 8 << 20   // bytes of one
	MaxState    = 256 << 20 // bytes of a captured region
	partBytes   = 512 << 10 // of the state in one message
	maxParts    = MaxState / partBytes
	maxName     = 256
	maxReason   = 1024
	maxRecords  = 1024 // in a message
	maxSeats    = 65536
	hashBytes   = 32
	recordBatch = 256 << 10 // bytes of records in one message, about
)

// ErrMalformed wraps every error about bytes that cannot be read.
var ErrMalformed = errors.New("malformed message")

// Encode returns the message as JSON.
func (m *Message) Encode() ([]byte, error) { return json.Marshal(m) }

// Decode reads a message. Unknown fields, unknown kinds, and what a kind needs and does not have are errors, which wrap ErrMalformed.
func Decode(b []byte) (*Message, error) {
	if len(b) > MaxMessage {
		return nil, fmt.Errorf("%d bytes, at most %d are read: %w", len(b), MaxMessage, ErrMalformed)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	m := new(Message)
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("%w: %w (nodes and gateways must be of the same release)", ErrMalformed, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the message: %w", ErrMalformed)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", m.Kind, err, ErrMalformed)
	}
	return m, nil
}

func (m *Message) check() error {
	if !kinds[m.Kind] {
		return fmt.Errorf("kind %.32q is not one of this release", string(m.Kind))
	}
	for field, s := range map[string]string{"from": m.From, "to": m.To, "region": m.Region, "source": m.Source, "target": m.Target} {
		if len(s) > maxName {
			return fmt.Errorf("%s has %d bytes, at most %d are read", field, len(s), maxName)
		}
	}
	switch {
	case m.From == "" || m.To == "":
		return errors.New("from or to is missing")
	case m.Region == "" && m.Kind != KindReport:
		return errors.New("region is missing")
	case len(m.Reason) > maxReason:
		return fmt.Errorf("reason has %d bytes, at most %d are read", len(m.Reason), maxReason)
	case len(m.Records) > maxRecords:
		return fmt.Errorf("%d records, at most %d are read", len(m.Records), maxRecords)
	case m.Part < 0 || m.Parts < 0 || m.Parts > maxParts:
		return fmt.Errorf("part %d of %d", m.Part, m.Parts)
	}
	need := func(ok bool, what string) error {
		if !ok {
			return errors.New(what + " is missing")
		}
		return nil
	}
	switch m.Kind {
	case KindPrepare:
		return need(m.Source != "" && m.Move != 0, "source or move")
	case KindBegin, KindRoute:
		return need(m.Target != "" && (m.Move != 0 || m.Kind == KindRoute), "target or move")
	case KindState:
		return need(m.Part < m.Parts && m.Move != 0, "a part below parts, or move,")
	case KindRecords:
		return need(m.First > 0 && m.Move != 0, "first or move")
	case KindFinal:
		if m.Final == nil || m.Move == 0 {
			return errors.New("final or move is missing")
		}
		return need(len(m.Final.Hash) == hashBytes, "a hash of 32 bytes")
	case KindReport:
		if m.Report == nil {
			return errors.New("report is missing")
		}
		return m.Report.check()
	case KindSwitch, KindAbort, KindRelease, KindLoaded, KindHave, KindTaken, KindEnded:
		return need(m.Move != 0, "move")
	}
	return nil
}

func (r *Report) check() error {
	if len(r.Seats) > maxSeats {
		return fmt.Errorf("%d seats, at most %d are read", len(r.Seats), maxSeats)
	}
	for i := range r.Seats {
		if s := &r.Seats[i]; s.Region == "" || len(s.Region) > maxName || !states[s.State] {
			return fmt.Errorf("seat %d: region %.32q in state %.32q", i, s.Region, string(s.State))
		}
	}
	return nil
}
