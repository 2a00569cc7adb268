package bus

// Operations of an AdminRequest.
const (
	AdminReset   = "reset"   // put Object back as the manifest has it
	AdminSwap    = "swap"    // run another module as Rule, from the next tick on
	AdminRunning = "running" // tell which module Rule runs
)

// AdminRequest is what an operator asks of a region, on the subject Admin.
type AdminRequest struct {
	Op     string `json:"op"`
	Object string `json:"object,omitempty"` // reset: name in the manifest
	Rule   string `json:"rule,omitempty"`   // swap, running: name in the venue
	Digest string `json:"digest,omitempty"` // swap: of the module, SHA-256 in hex; "" is that of the venue's file, as the file is now
	Faults int    `json:"faults,omitempty"` // swap: failed ticks of its first minute after which the region goes back by itself; 0: the default
	Reason string `json:"reason,omitempty"` // swap: for logs and histories
}

// AdminReply says what a region did.
type AdminReply struct {
	Tick     uint64      `json:"tick"`               // from which it holds
	Released bool        `json:"released,omitempty"` // reset: somebody held the object
	Changed  bool        `json:"changed,omitempty"`  // reset: it was not as in the manifest; swap: the module is another
	From     AdminModule `json:"from,omitzero"`      // swap: what ran before
	To       AdminModule `json:"to,omitzero"`        // swap, running: what runs now
}

// AdminModule names a module.
type AdminModule struct {
	Plugin  string `json:"plugin"` // name and version in its manifest
	Version string `json:"version"`
	Digest  string `json:"digest"` // SHA-256, hex
}
