package bus

// Recording is the subject of calls that start and stop a region's recording: a RecordingRequest, answered by a RecordingReply, both JSON.
func Recording(venue, region string) string { return subject(venue, region, "recording") }

// Operations of a RecordingRequest.
const (
	RecordingStart  = "start"
	RecordingStop   = "stop"
	RecordingStatus = "status"
)

// RecordingRequest is what an operator asks of a region's recording.
type RecordingRequest struct {
	Op      string `json:"op"`
	Seconds int    `json:"seconds,omitempty"` // start: for how long at most; 0: the default
	Bytes   int64  `json:"bytes,omitempty"`   // start: how large at most; 0: the default
	Reason  string `json:"reason,omitempty"`  // stop: why, for the file
}

// RecordingReply says how a region's recording is.
type RecordingReply struct {
	Running bool   `json:"running"`
	Name    string `json:"name,omitempty"`  // of the running recording, or of the one that was stopped
	Bytes   int64  `json:"bytes,omitempty"` // written so far
	Ticks   uint64 `json:"ticks,omitempty"` // written so far
	Ended   string `json:"ended,omitempty"` // stop: why it ended, if not by this call; status: why the newest one ended
}
