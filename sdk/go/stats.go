package client

import "sync/atomic"

// Stats counts what a client did since Dial. Bytes are payloads of the lanes, without the transport's
// own headers.
type Stats struct {
	BytesUp, BytesDown   uint64
	PosesSent            uint64
	PosesSkipped         uint64 // the lane was behind
	Frames               uint64 // applied
	FramesLost           uint64 // frame numbers that never came, or came too late to be of use
	FramesRefused        uint64 // malformed: a fault of the server, or of this client
	EventsMalformed      uint64 // could not be read
	EventsDropped        uint64 // the Events channel was full
	EventsRepeated       uint64 // received twice and given out once
	Resends              uint64 // key inputs sent again on the same connection
	Connects             uint64 // connections that were welcomed
	Losses               uint64 // connections lost, dropped ones included
	Repairs              uint64 // connections brought back by an ICE restart
	Resumes, FullResumes uint64 // sessions resumed; of those, with events missed
	NewSessions          uint64 // joined anew after the session was gone
}

type counters struct {
	bytesUp, bytesDown, poses, skipped atomic.Uint64
	frames, lost, refused              atomic.Uint64
	malformed, dropped, repeated       atomic.Uint64
	resends, connects, losses, repairs atomic.Uint64
	resumes, fullResumes, sessions     atomic.Uint64
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats {
	s := &c.stats
	return Stats{
		BytesUp: s.bytesUp.Load(), BytesDown: s.bytesDown.Load(),
		PosesSent: s.poses.Load(), PosesSkipped: s.skipped.Load(),
		Frames: s.frames.Load(), FramesLost: s.lost.Load(), FramesRefused: s.refused.Load(),
		EventsMalformed: s.malformed.Load(), EventsDropped: s.dropped.Load(), EventsRepeated: s.repeated.Load(),
		Resends: s.resends.Load(), Connects: s.connects.Load(), Losses: s.losses.Load(),
		Repairs: s.repairs.Load(), Resumes: s.resumes.Load(), FullResumes: s.fullResumes.Load(),
		NewSessions: s.sessions.Load(),
	}
}
