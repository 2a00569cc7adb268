package rule

// Reason says why a request is denied.
type Reason int64

// Reasons.
const (
	DenyRule       Reason = 0
	DenyHeld       Reason = 1
	DenyReach      Reason = 2
	DenyNotAllowed Reason = 4
	DenyNotHeld    Reason = 8
)

// Audience says who hears of an emitted event.
type Audience int64

// Audiences: one user, those who can see the subject, everyone in the region.
const (
	ToUser   Audience = 0
	ToNear   Audience = 1
	ToRegion Audience = 2
)

// Limits of a call's commands.
const (
	MaxCommands = 900
	MaxOutput   = 64 << 10 // bytes
)

const (
	commandHeader = 16
	commandSize   = 64
	commandMagic  = 0x31434e56 // "VNC1"
	minor         = 1          // version of the contract
)

const (
	cmdGrant = 1 + iota
	cmdDeny
	cmdRelease
	cmdSetState
	cmdSetPose
	cmdDoor
	cmdLock
	cmdTeleport
	cmdEmit
	cmdTimerStart
	cmdTimerCancel
	cmdAccept
)

// Commands is what a call wants done, in order. Past the limits of a call it panics, which
// ends the call; the host then tries the batch in smaller parts. The zero value is an empty list.
type Commands struct {
	records []byte // header and records
	data    []byte
}

// Reset empties the list and keeps its memory.
func (c *Commands) Reset() {
	c.records = append(c.records[:0], make([]byte, commandHeader)...)
	c.data = c.data[:0]
}

// Grant gives the object of a grab to who asked, into the hand that asked.
func (c *Commands) Grant(e *Event) {
	c.push(command{kind: cmdGrant, event: e.Number, subject: e.Subject, object: e.Object, value: int64(e.Hand)})
}

// Deny denies a request; the sentence may be empty.
func (c *Commands) Deny(e *Event, why Reason, sentence string) {
	c.push(command{kind: cmdDeny, event: e.Number, subject: e.Subject, object: e.Object, value: int64(why)}, sentence)
}

// Release takes the object of a release out of the hand.
func (c *Commands) Release(e *Event) {
	c.push(command{kind: cmdRelease, event: e.Number, subject: e.Subject, object: e.Object})
}

// Accept grants a use without doing anything else.
func (c *Commands) Accept(e *Event) { c.push(command{kind: cmdAccept, event: e.Number}) }

// SetState sets an object's state word; event is the number of the request that this answers, or 0.
func (c *Commands) SetState(event uint32, object uint64, state uint32) {
	c.push(command{kind: cmdSetState, event: event, object: object, value: int64(state)})
}

// SetPose puts an object that nobody holds somewhere, steps of 1/1024 m.
func (c *Commands) SetPose(event uint32, object uint64, x, y, z int32) {
	c.push(command{kind: cmdSetPose, event: event, object: object, x: x, y: y, z: z})
}

// Door moves a door toward permille open.
func (c *Commands) Door(event uint32, door uint64, permille uint32) {
	c.push(command{kind: cmdDoor, event: event, object: door, value: int64(permille)})
}

// Lock locks or unlocks a door.
func (c *Commands) Lock(event uint32, door uint64, locked bool) {
	r := command{kind: cmdLock, event: event, object: door}
	if locked {
		r.value = 1
	}
	c.push(r)
}

// Teleport puts a user's head somewhere, steps of 1/1024 m.
func (c *Commands) Teleport(event uint32, user uint64, x, y, z int32) {
	c.push(command{kind: cmdTeleport, event: event, subject: user, x: x, y: y, z: z})
}

// Emit sends an event with a JSON payload to an audience around a subject.
func (c *Commands) Emit(event uint32, to Audience, subject uint64, name string, json []byte) {
	c.push(command{kind: cmdEmit, event: event, subject: subject, value: int64(to)}, name, "\x00", string(json))
}

// TimerStart starts timer id of a subject, anew if it runs, to fire in that many microseconds.
func (c *Commands) TimerStart(scope Scope, subject, id, afterUS uint64) {
	c.push(command{kind: cmdTimerStart, scope: scope, subject: subject, value: int64(id), aux: afterUS})
}

// TimerCancel stops timer id of a subject, if it runs.
func (c *Commands) TimerCancel(scope Scope, subject, id uint64) {
	c.push(command{kind: cmdTimerCancel, scope: scope, subject: subject, value: int64(id)})
}

type command struct {
	kind    uint16
	scope   Scope
	event   uint32
	subject uint64
	object  uint64
	value   int64
	x, y, z int32
	aux     uint64
}

func (c *Commands) push(r command, data ...string) {
	if len(c.records) == 0 {
		c.Reset()
	}
	n := 0
	for _, d := range data {
		n += len(d)
	}
	count := (len(c.records) - commandHeader) / commandSize
	if count == MaxCommands || len(c.records)+commandSize+len(c.data)+n > MaxOutput {
		panic("more commands than a call may have")
	}
	at := len(c.records)
	c.records = append(c.records, make([]byte, commandSize)...)
	b := c.records[at:]
	le.PutUint16(b, r.kind)
	le.PutUint16(b[2:], uint16(r.scope))
	le.PutUint32(b[4:], r.event)
	le.PutUint64(b[8:], r.subject)
	le.PutUint64(b[16:], r.object)
	le.PutUint64(b[24:], uint64(r.value))
	le.PutUint32(b[32:], uint32(r.x))
	le.PutUint32(b[36:], uint32(r.y))
	le.PutUint32(b[40:], uint32(r.z))
	// From the start of the data for now: where that lies is known at the end.
	le.PutUint32(b[44:], uint32(len(c.data)))
	le.PutUint32(b[48:], uint32(n))
	le.PutUint64(b[56:], r.aux)
	for _, d := range data {
		c.data = append(c.data, d...)
	}
}

// Bytes completes the list and returns it as the host reads it, nil for an empty one. Reset must
// follow before more is added.
func (c *Commands) Bytes() []byte {
	if len(c.records) <= commandHeader {
		return nil
	}
	base := uint32(len(c.records))
	for b := c.records[commandHeader:]; len(b) > 0; b = b[commandSize:] {
		if le.Uint32(b[48:]) == 0 {
			le.PutUint32(b[44:], 0)
			continue
		}
		le.PutUint32(b[44:], le.Uint32(b[44:])+base)
	}
	le.PutUint32(c.records, commandMagic)
	le.PutUint16(c.records[4:], minor)
	le.PutUint16(c.records[6:], commandSize)
	le.PutUint32(c.records[8:], (base-commandHeader)/commandSize)
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
