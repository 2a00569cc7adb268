package rule

// Commands is what a call wants done, in order. Past the limits of a call it panics, which
// ends the call; the host then tries the batch in smaller parts. The zero value is an empty list.
type Commands struct {
	records []byte // header and records
	data    []byte
}

// Reset empties the list and keeps its memory.
func (c *Commands) Reset() {
	c.records = append(c.records[:0], make([]byte, commandHeaderSize)...)
	c.data = c.data[:0]
}

// Grant gives the object of a grab to who asked, into the hand that asked.
func (c *Commands) Grant(e *Event) {
	c.push(command{Kind: cmdGrant, Event: e.Number, Subject: e.Subject, Object: e.Object, Value: int64(e.Hand)})
}

// Deny denies a request; the sentence may be empty.
func (c *Commands) Deny(e *Event, why Reason, sentence string) {
	c.push(command{Kind: cmdDeny, Event: e.Number, Subject: e.Subject, Object: e.Object, Value: int64(why)}, sentence)
}

// Release takes the object of a release out of the hand.
func (c *Commands) Release(e *Event) {
	c.push(command{Kind: cmdRelease, Event: e.Number, Subject: e.Subject, Object: e.Object})
}

// Take takes an object out of the hand that holds it, whoever asked for that; event is the number of the event that it
// answers, or 0.
func (c *Commands) Take(event uint32, object uint64) {
	c.push(command{Kind: cmdRelease, Event: event, Object: object})
}

// Accept grants a use without doing anything else.
func (c *Commands) Accept(e *Event) { c.push(command{Kind: cmdAccept, Event: e.Number}) }

// SetState sets an object's state word; event is the number of the request that this answers, or 0.
func (c *Commands) SetState(event uint32, object uint64, state uint32) {
	c.push(command{Kind: cmdSetState, Event: event, Object: object, Value: int64(state)})
}

// SetPose puts an object that nobody holds somewhere, steps of 1/1024 m.
func (c *Commands) SetPose(event uint32, object uint64, x, y, z int32) {
	c.push(command{Kind: cmdSetPose, Event: event, Object: object, X: x, Y: y, Z: z})
}

// Door moves a door toward permille open.
func (c *Commands) Door(event uint32, door uint64, permille uint32) {
	c.push(command{Kind: cmdDoor, Event: event, Object: door, Value: int64(permille)})
}

// Lock locks or unlocks a door.
func (c *Commands) Lock(event uint32, door uint64, locked bool) {
	r := command{Kind: cmdLock, Event: event, Object: door}
	if locked {
		r.Value = 1
	}
	c.push(r)
}

// Teleport puts a user's head somewhere, steps of 1/1024 m.
func (c *Commands) Teleport(event uint32, user uint64, x, y, z int32) {
	c.push(command{Kind: cmdTeleport, Event: event, Subject: user, X: x, Y: y, Z: z})
}

// Emit sends an event with a JSON payload to an audience around a subject.
func (c *Commands) Emit(event uint32, to Audience, subject uint64, name string, json []byte) {
	c.push(command{Kind: cmdEmit, Event: event, Subject: subject, Value: int64(to)}, name, "\x00", string(json))
}

// TimerStart starts timer id of a subject, anew if it runs, to fire in that many microseconds; event is the number of the event that
// it is started because of, or 0. When the rule fails as the timer fires, that is held against whoever the event was of.
func (c *Commands) TimerStart(event uint32, scope Scope, subject, id, afterUS uint64) {
	c.push(command{Kind: cmdTimerStart, Event: event, Scope: scope, Subject: subject, Value: int64(id), Aux: afterUS})
}

// TimerCancel stops timer id of a subject, if it runs.
func (c *Commands) TimerCancel(scope Scope, subject, id uint64) {
	c.push(command{Kind: cmdTimerCancel, Scope: scope, Subject: subject, Value: int64(id)})
}

// Score adds delta to a user's score on a board, whose name is a to z first, then up to 31 of a to z, 0 to 9 and -.
func (c *Commands) Score(event uint32, user uint64, delta int64, board string) {
	c.push(command{Kind: cmdScore, Event: event, Subject: user, Value: delta}, board)
}

// Signal sends a message to another rule of the venue in this region, which gets it as a Signal event with the next tick's batch.
func (c *Commands) Signal(event uint32, rule, topic string, payload []byte) {
	c.push(command{Kind: cmdSignal, Scope: Region, Event: event}, rule, "\x00", topic, "\x00", string(payload))
}

// SignalRegion is Signal to the rule in another region, by its number.
func (c *Commands) SignalRegion(event uint32, region uint32, rule, topic string, payload []byte) {
	c.push(command{Kind: cmdSignal, Scope: Region, Event: event, Subject: uint64(region) + 1}, rule, "\x00", topic, "\x00", string(payload))
}

// SignalVenue is Signal to the rule in the venue's home region.
func (c *Commands) SignalVenue(event uint32, rule, topic string, payload []byte) {
	c.push(command{Kind: cmdSignal, Scope: Venue, Event: event}, rule, "\x00", topic, "\x00", string(payload))
}

func (c *Commands) push(r command, data ...string) {
	if len(c.records) == 0 {
		c.Reset()
	}
	n := 0
	for _, d := range data {
		n += len(d)
	}
	count := (len(c.records) - commandHeaderSize) / commandSize
	if count == MaxCommands || len(c.records)+commandSize+len(c.data)+n > MaxOutput {
		panic("more commands than a call may have")
	}
	at := len(c.records)
	c.records = append(c.records, make([]byte, commandSize)...)
	b := c.records[at:]
	r.put(b)
	// From the start of the data for now: where that lies is known at the end.
	le.PutUint32(b[offCommandData:], uint32(len(c.data)))
	le.PutUint32(b[offCommandData+4:], uint32(n))
	for _, d := range data {
		c.data = append(c.data, d...)
	}
}

// Bytes completes the list and returns it as the host reads it, nil for an empty one. Reset must
// follow before more is added.
func (c *Commands) Bytes() []byte {
	if len(c.records) <= commandHeaderSize {
		return nil
	}
	base := uint32(len(c.records))
	for b := c.records[commandHeaderSize:]; len(b) > 0; b = b[commandSize:] {
		if le.Uint32(b[offCommandData+4:]) == 0 {
			le.PutUint32(b[offCommandData:], 0)
			continue
		}
		le.PutUint32(b[offCommandData:], le.Uint32(b[offCommandData:])+base)
	}
	le.PutUint32(c.records[offCommandHeaderMagic:], commandMagic)
	le.PutUint16(c.records[offCommandHeaderMinor:], minor)
	le.PutUint16(c.records[offCommandHeaderRecordSize:], commandSize)
	le.PutUint32(c.records[offCommandHeaderCount:], (base-commandHeaderSize)/commandSize)
	c.records = append(c.records, c.data...)
	return c.records
}

// AppendJSON appends s as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
func AppendJSON(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = append(dst, string(r)...)
		}
	}
	return append(dst, '"')
}
