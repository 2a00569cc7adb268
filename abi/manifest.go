package abi

// Manifest says what a plugin is and what it wants; JSON in the custom section
// ManifestSection, added by the packer after the build. Unknown keys are an error.
type Manifest struct {
	Name        string   `json:"name"`    // [a-z][a-z0-9-]{0,31}
	Version     string   `json:"version"` // semantic version
	Description string   `json:"description,omitempty"`
	ABI         int      `json:"abi"`                    // the major version: 1
	MinorMin    int      `json:"minor_min,omitempty"`    // the lowest minor version it runs on
	Events      []string `json:"events"`                 // EventNames it wants
	Views       []string `json:"views,omitempty"`        // ViewNames it wants in every batch
	Commands    []string `json:"commands"`               // CommandNames it may use (capabilities)
	Schema      int      `json:"schema"`                 // version of its state's layout
	MemoryBytes int      `json:"memory_bytes,omitempty"` // 0 = MaxMemory
}

// EventNames maps the names in a manifest to kinds.
var EventNames = map[string]EventKind{
	"join": EventJoin, "leave": EventLeave, "enter": EventEnter, "exit": EventExit,
	"grab": EventGrab, "release": EventRelease, "use": EventUse, "timer": EventTimer,
	"message": EventMessage, "dropped": EventDropped,
}

// CommandNames maps the names in a manifest to kinds.
var CommandNames = map[string]CommandKind{
	"grant": CmdGrant, "deny": CmdDeny, "release": CmdRelease, "set_state": CmdSetState,
	"set_pose": CmdSetPose, "door": CmdDoor, "lock": CmdLock, "teleport": CmdTeleport,
	"emit": CmdEmit, "timer_start": CmdTimerStart, "timer_cancel": CmdTimerCancel, "accept": CmdAccept,
}

// ViewNames maps the names in a manifest to row kinds.
var ViewNames = map[string]RowKind{
	"objects": RowObject, "users": RowUser, "doors": RowDoor, "zones": RowZone,
}
