package bus

import "github.com/venued/venued/lattice"

// PlaceRequest asks where a person was last.
type PlaceRequest struct {
	User string `json:"user"`
	Load bool   `json:"load,omitempty"` // look in the load generators' partition
}

// PlaceReply answers a PlaceRequest.
type PlaceReply struct {
	Has bool          `json:"has"` // false: the person was never here
	At  lattice.Joint `json:"at"`  // the head, venue coordinates
}
