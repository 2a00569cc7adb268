package wire

// Told is what a server knows that a client applied of one handle: the newest frames that said something of it and were
// acknowledged. The zero value knows nothing. A handle that enters anew starts with a zero Told.
type Told struct {
	n      int
	frames [PastStates]ToldFrame
}

// ToldFrame is a frame that said something of a handle.
type ToldFrame struct {
	Frame   uint64 // its number, unwrapped
	Tick    uint32 // low 32 bits
	Version uint32 // the caller's name for the state that it gave
	Enter   bool   // it said it with an enter
	// Sure says that it is known of each of the HistoryFrames frames before it whether the client applied it. An
	// acknowledgement tells of the 32 frames before the newest applied, for good, since no client
	// applies what is older than that.
	Sure bool
}

// Confirm notes that the client applied a frame; newest is the newest one that the same
// acknowledgement names.
func (t *Told) Confirm(f ToldFrame, newest uint64) {
	f.Sure = f.Frame+HistoryFrames >= newest
	at := t.n
	for at > 0 && t.frames[at-1].Frame < f.Frame {
		at--
	}
	if at == PastStates || at > 0 && t.frames[at-1].Frame == f.Frame {
		return
	}
	t.n = min(t.n+1, PastStates)
	copy(t.frames[at+1:t.n], t.frames[at:])
	t.frames[at] = f
}

// Newest returns the newest frame that is known; false for none.
func (t *Told) Newest() (ToldFrame, bool) { return t.frames[0], t.n > 0 }

// Past returns the frames that an update against the newest is predicted from, that one first, and whether to say that
// nothing else counts (Past.Alone). The slice is good until the next Confirm.
func (t *Told) Past() (frames []ToldFrame, alone bool) {
	if t.n == 0 {
		return nil, false
	}
	base := &t.frames[0]
	n := 1
	if !base.Sure {
		return t.frames[:1], !base.Enter
	}
	for n < t.n && !t.frames[n-1].Enter && t.frames[n].Frame+HistoryFrames >= base.Frame {
		n++
	}
	return t.frames[:n], false
}
