package bus

// Operations of an AdminRequest.
const (
	AdminReset  = "reset"  // put Object back as the manifest has it
	AdminReload = "reload" // load Rule's module again and run the new one from the next tick on
)

// AdminRequest is what an operator asks of a region, on the subject Admin.
type AdminRequest struct {
	Op     string `json:"op"`
	Object string `json:"object,omitempty"` // name in the manifest
	Rule   string `json:"rule,omitempty"`   // name in the venue
}

// AdminReply says what a region did.
type AdminReply struct {
	Tick     uint64 `json:"tick"`               // from which it holds
	Released bool   `json:"released,omitempty"` // reset: somebody held the object
	Changed  bool   `json:"changed,omitempty"`  // reset: it was not as in the manifest; reload: the module is another
	Version  string `json:"version,omitempty"`  // reload: of the module that runs now
	Digest   string `json:"digest,omitempty"`   // reload: its SHA-256, hex
}
