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
	// Old is for Revive: the old module of each rule whose swap was being watched, nil for others. Optional otherwise.
	Old []Rule
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
	// Migrate turns the rule's state in a region, which a module of schema version from wrote, into that of this module. It is called
	// once, before the first Call, and only when the two versions differ. An error, which is an *abi.Fault, says that it cannot (or that
	// the module has no such function); kv's writes are then dropped.
	Migrate(from int, kv abi.KV) error
}

// Module names what decides for a rule at some time.
type Module struct {
	Name    string `json:"name"` // of the plugin
	Version string `json:"version"`
	Digest  string `json:"digest"` // of the module, hex SHA-256
	Schema  int    `json:"schema"` // version of its state's layout
}

// SwapOptions says how a swap is watched. The zero value is the default.
type SwapOptions struct {
	Faults     int    // faulted ticks that bring the old module back; 0 = 3
	WatchTicks uint64 // for how long, from the first tick of the new one; 0 = a minute
	Reason     string // why it is swapped, for SwapEvent
}

// SwapEvent is a change of the module that decides for a rule.
type SwapEvent struct {
	Rule     string // name in the venue
	Tick     uint64 // the first (for a return: the next) that To decides
	From, To Module
	Reason   string // a sentence for operators
	Returned bool   // the region went back to the old module by itself: From failed
}

// Effects is everything a step did. It is the caller's until the next Step, except Log, which the
// region never touches again.
type Effects struct {
	Tick     uint64
	Entities []stream.Entity // new or changed
	Gone     []uint64
	Events   []stream.Event
	Cursors  []stream.Cursor
	// Extras has those whose optional streams changed, each in full. They are shown, and decide nothing.
	Extras []stream.EntityExtras
	Log    *saved.Record // nil when nothing happened that must outlive the region
	Places []Place       // last positions to write behind
	Faults []RuleFault
	// Flights is everything on its way to other regions, if FlightNews says that it changed.
	Flights    []stream.Flight
	FlightNews bool
	Refused    []string               // what of other regions' hand-overs cannot be taken, and why, in sentences for operators
	Out        []stream.RegionMessage // for other regions; each is there again until its InputRegionAck came
	Heard      []stream.RegionMessage // From, To, At: up to where another region's messages are taken, for an InputRegionAck once the tick is durable
	Swaps      []SwapEvent            // of this tick, SwapRule's before it included
	Retired    []Rule                 // no longer needed: the caller lets go of what they hold
	Stats      StepStats
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
	Plugin      string // name@version of the module
	Digest      string
	Fault       *abi.Fault
	Session     uint64 // the session whose input failed, when bisection found one
	Quarantined bool   // this fault put the rule into quarantine
	// The rule's state before the call and after its writes were dropped: the same, or the host has a fault.
	Before, After StateSum
}

// StateSum is a rule's state in a region at a glance.
type StateSum struct {
	Bytes int    // as counted toward the limit
	Keys  int    // how many
	Hash  string // 16 hex digits over all keys and values, whatever their order
}

// StepStats counts what a step did.
type StepStats struct {
	Users, Objects   int
	Inputs           int
	Clamped          int // samples cut to the displacement budget, bounds or reach
	Duplicates, Gaps int // key inputs ignored
	RuleCalls        int
	Grants, Denials  int
	Departed         int // people handed over to other regions
	Arrived          int // and taken from them
	Scores           int
}
