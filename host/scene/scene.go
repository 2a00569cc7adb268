package scene

import (
	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// Config is what a region starts from. All fields are needed.
type Config struct {
	Venue  *venues.Venue
	Region int    // index of Venue.Regions
	Epoch  uint64 // of this ownership
	// IDBlock prefixes every entity id this owner makes (id = IDBlock<<32 | n): the store hands
	// each block out once, so ids are unique in the venue for ever.
	IDBlock uint32
	// Rules holds what decides, one entry for each of Venue.Rules; nil where nothing is loaded. A kind of request for a kind of
	// object goes to the first rule that has the object kind and wants the request.
	Rules []Rule
}

// Rule is a loaded plugin as the region sees it. Calls come from one goroutine.
// An implementation must give the same answer to the same batch and state.
type Rule interface {
	// Manifest is the plugin's own; it does not change.
	Manifest() *abi.Manifest
	// Digest names the exact module, hex SHA-256.
	Digest() string
	// Call runs one batch. The returned commands are valid until the next call.
	// Any failure is an *abi.Fault; kv's writes are then dropped by the caller.
	Call(batch []byte, kv abi.KV) ([]byte, error)
}

// Effects is everything a step did. It is the caller's until the next Step, except Log, which the
// region never touches again.
type Effects struct {
	Tick     uint64
	Entities []stream.Entity // new or changed
	Gone     []uint64
	Events   []stream.Event
	Cursors  []stream.Cursor
	Log      *saved.Record // nil when nothing happened that must outlive the region
	Places   []Place       // last positions to write behind
	Faults   []RuleFault
	Stats    StepStats
}

// Place is a person's last position, for the store's user record.
type Place struct {
	User string
	Load bool
	At   lattice.Joint
	Tick uint64
}

// RuleFault is a failed call, for logs and metrics.
type RuleFault struct {
	Rule        string // name in the venue
	Digest      string
	Fault       *abi.Fault
	Session     uint64 // the session whose input failed, when bisection found one
	Quarantined bool   // this fault put the rule into quarantine
}

// StepStats counts what a step did.
type StepStats struct {
	Users, Objects   int
	Inputs           int
	Clamped          int // samples cut to the displacement budget, bounds or reach
	Duplicates, Gaps int // key inputs ignored
	RuleCalls        int
	Grants, Denials  int
}
