package abi

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

var le = binary.LittleEndian

// Batch builds one batch. Events and rows may be added in any order; their
// own order is kept. The zero value is ready for Reset; buffers are reused from batch to
// batch, so a warm Batch does not allocate. It belongs to one goroutine.
type Batch struct {
	h    Header
	buf  []byte // header and events
	rows []byte
	data []byte
}

// NewBatch returns an empty batch; call Reset before use.
func NewBatch() *Batch { return &Batch{} }

// Reset starts a batch that is written into buf (its length is ignored, its
// capacity used; nil allocates). Minor, Events and Rows of h are filled in by Finish.
func (b *Batch) Reset(buf []byte, h Header) {
	b.h = h
	b.h.Events, b.h.Rows = 0, 0
	b.buf = append(buf[:0], make([]byte, HeaderSize)...)
	b.rows = b.rows[:0]
	b.data = b.data[:0]
}

// Len returns the bytes of the batch so far.
func (b *Batch) Len() int { return len(b.buf) + len(b.rows) + len(b.data) }

// Events returns the number of events so far.
func (b *Batch) Events() int { return int(b.h.Events) }

// Event adds one event and returns true, or changes nothing and returns false when
// the batch would grow above MaxInput: the caller then runs what there is
// and puts the event into the next batch.
func (b *Batch) Event(e *Event) bool {
	if b.Len()+EventSize+len(e.Data) > MaxInput {
		return false
	}
	n := len(b.buf)
	b.buf = append(b.buf, zeroRecord[:EventSize]...)
	r := b.buf[n : n+EventSize : n+EventSize]
	e.put(r)
	if len(e.Data) > 0 {
		// Relative to the data for now: where that starts is known at Finish.
		putRef(r[offEventData:], uint32(len(b.data)), len(e.Data))
		b.data = append(b.data, e.Data...)
	}
	b.h.Events++
	return true
}

// Row adds one view row, or changes nothing and returns false when the batch would grow
// above MaxInput.
func (b *Batch) Row(w *Row) bool {
	if b.Len()+RowSize > MaxInput {
		return false
	}
	b.rows = appendRow(b.rows, w)
	b.h.Rows++
	return true
}

// Finish completes the batch and returns it. It is valid until the next Reset.
func (b *Batch) Finish() []byte {
	base := uint32(len(b.buf) + len(b.rows))
	for at := HeaderSize; at < len(b.buf); at += EventSize {
		if r := b.buf[at+offEventData:]; le.Uint32(r[4:]) > 0 {
			le.PutUint32(r, le.Uint32(r)+base)
		}
	}
	b.buf = append(append(b.buf, b.rows...), b.data...)
	putHeader(b.buf, MagicBatch, &b.h, EventSize, len(b.buf))
	return b.buf
}

var zeroRecord [EventSize]byte

func putHeader(dst []byte, magic uint32, h *Header, eventSize, total int) {
	h.Minor = Minor
	h.put(dst)
	le.PutUint32(dst[offHeaderMagic:], magic)
	le.PutUint16(dst[offHeaderHeaderSize:], HeaderSize)
	le.PutUint16(dst[offHeaderEventSize:], uint16(eventSize))
	le.PutUint16(dst[offHeaderRowSize:], RowSize)
	le.PutUint32(dst[offHeaderBytes:], uint32(total))
}

// putRef writes what an offset and a length refer to and returns the offset behind it.
func putRef(r []byte, off uint32, n int) uint32 {
	le.PutUint32(r, off)
	le.PutUint32(r[4:], uint32(n))
	return off + uint32(n)
}

func appendRow(dst []byte, w *Row) []byte {
	n := len(dst)
	dst = append(dst, zeroRecord[:RowSize]...)
	w.put(dst[n:])
	return dst
}

// Decoded is a batch in parts, as a guest sees it; Data of its events aliases the
// batch. Slices are reused by the next DecodeBatch into it.
type Decoded struct {
	Header Header
	Events []Event
	Rows   []Row
}

// DecodeBatch reads a batch the way a guest does: records may be longer than this
// version's, kinds may be unknown. It is for native twins of plugins, tools and
// tests. Errors say which record and field is wrong.
func DecodeBatch(b []byte, d *Decoded) error {
	d.Events, d.Rows = d.Events[:0], d.Rows[:0]
	events, rows, sizes, err := decodeHeader(b, MagicBatch, EventSize, &d.Header)
	if err != nil {
		return err
	}
	for i := range d.Header.Events {
		r := events[int(i)*sizes.event:]
		data, err := ref(b, r[offEventData:])
		if err != nil {
			return fmt.Errorf("batch: event %d: data: %w", i+1, err)
		}
		e := Event{Data: data}
		e.get(r)
		d.Events = append(d.Events, e)
	}
	d.Rows = decodeRows(d.Rows, rows, d.Header.Rows, sizes.row)
	return nil
}

func decodeRows(dst []Row, rows []byte, n uint32, size int) []Row {
	for i := range n {
		r := rows[int(i)*size:]
		var w Row
		w.get(r)
		dst = append(dst, w)
	}
	return dst
}

type recordSizes struct{ event, row int }

// decodeHeader checks a header and returns the bytes of both lists.
func decodeHeader(b []byte, magic uint32, eventSize int, h *Header) (events, rows []byte, s recordSizes, err error) {
	if len(b) < HeaderSize {
		return nil, nil, s, fmt.Errorf("batch: %d bytes, shorter than the header's %d", len(b), HeaderSize)
	}
	if m := le.Uint32(b[offHeaderMagic:]); m != magic {
		return nil, nil, s, fmt.Errorf("batch: magic is %#08x, want %#08x", m, magic)
	}
	h.get(b)
	head := int(le.Uint16(b[offHeaderHeaderSize:]))
	s = recordSizes{int(le.Uint16(b[offHeaderEventSize:])), int(le.Uint16(b[offHeaderRowSize:]))}
	switch {
	case head < HeaderSize || head > len(b):
		return nil, nil, s, fmt.Errorf("batch: header size %d is not in [%d, %d]", head, HeaderSize, len(b))
	case s.event < eventSize:
		return nil, nil, s, fmt.Errorf("batch: event size %d is below %d", s.event, eventSize)
	case s.row < RowSize:
		return nil, nil, s, fmt.Errorf("batch: row size %d is below %d", s.row, RowSize)
	case uint64(le.Uint32(b[offHeaderBytes:])) != uint64(len(b)):
		return nil, nil, s, fmt.Errorf("batch: says it has %d bytes, has %d", le.Uint32(b[offHeaderBytes:]), len(b))
	}
	// 32-bit counts times 16-bit sizes cannot overflow 64 bits.
	endEvents := uint64(head) + uint64(h.Events)*uint64(s.event)
	endRows := endEvents + uint64(h.Rows)*uint64(s.row)
	if endRows > uint64(len(b)) {
		return nil, nil, s, fmt.Errorf("batch: %d events and %d rows end at byte %d of %d", h.Events, h.Rows, endRows, len(b))
	}
	return b[head:endEvents], b[endEvents:endRows], s, nil
}

// ref returns what the offset and length at r refer to in b, nil for length 0.
func ref(b, r []byte) ([]byte, error) {
	off, n := le.Uint32(r), le.Uint32(r[4:])
	if n == 0 {
		return nil, nil
	}
	if uint64(off)+uint64(n) > uint64(len(b)) {
		return nil, fmt.Errorf("%d bytes at %d reach past the end at %d", n, off, len(b))
	}
	end := uint64(off) + uint64(n)
	return b[off:end:end], nil
}

// AppendCommands appends a list of commands as a guest writes it, for native twins and
// tests. An empty list appends nothing: a guest says "none" by returning 0.
func AppendCommands(dst []byte, cmds []Command) []byte {
	if len(cmds) == 0 {
		return dst
	}
	start := len(dst)
	dst = append(dst, zeroRecord[:CommandHeaderSize]...)
	le.PutUint32(dst[start+offCommandHeaderMagic:], MagicCommands)
	le.PutUint16(dst[start+offCommandHeaderMinor:], Minor)
	le.PutUint16(dst[start+offCommandHeaderRecordSize:], CommandSize)
	le.PutUint32(dst[start+offCommandHeaderCount:], uint32(len(cmds)))
	off := uint32(CommandHeaderSize + len(cmds)*CommandSize)
	for i := range cmds {
		c := &cmds[i]
		n := len(dst)
		dst = append(dst, zeroRecord[:CommandSize]...)
		r := dst[n : n+CommandSize : n+CommandSize]
		c.put(r)
		if len(c.Data) > 0 {
			off = putRef(r[offCommandData:], off, len(c.Data))
		}
	}
	for i := range cmds {
		dst = append(dst, cmds[i].Data...)
	}
	return dst
}

// DecodeCommands reads what a plugin returned for a batch of that many events and
// appends the commands to cmds; their Data aliases out. It trusts nothing: an error names the
// command (counted from 1) and the field, and then cmds comes back as it was given.
// What a command means (does the object exist, is the plugin allowed to) is not checked here.
func DecodeCommands(out []byte, events uint32, cmds []Command) ([]Command, error) {
	if len(out) == 0 {
		return cmds, nil
	}
	if len(out) > MaxOutput {
		return cmds, fmt.Errorf("commands: %d bytes, above the limit of %d", len(out), MaxOutput)
	}
	if len(out) < CommandHeaderSize {
		return cmds, fmt.Errorf("commands: %d bytes, shorter than the header's %d", len(out), CommandHeaderSize)
	}
	if m := le.Uint32(out[offCommandHeaderMagic:]); m != MagicCommands {
		return cmds, fmt.Errorf("commands: magic is %#08x, want %#08x", m, uint32(MagicCommands))
	}
	size, count := int(le.Uint16(out[offCommandHeaderRecordSize:])), le.Uint32(out[offCommandHeaderCount:])
	switch {
	case size < CommandSize || size%8 != 0:
		return cmds, fmt.Errorf("commands: record size %d is not a multiple of 8 that is at least %d", size, CommandSize)
	case count > MaxCommands:
		return cmds, fmt.Errorf("commands: count %d is above the limit of %d", count, MaxCommands)
	case CommandHeaderSize+int(count)*size > len(out):
		return cmds, fmt.Errorf("commands: %d records of %d bytes do not fit into %d bytes", count, size, len(out))
	}
	dataStart := uint32(CommandHeaderSize + int(count)*size)
	given := len(cmds)
	for i := range count {
		r := out[CommandHeaderSize+int(i)*size:]
		var c Command
		c.get(r)
		if c.Kind == 0 || c.Kind > lastCommandKind {
			return cmds[:given], fmt.Errorf("command %d: kind %d is unknown", i+1, c.Kind)
		}
		if c.Event > events {
			return cmds[:given], fmt.Errorf("command %d (%s): event %d of a batch of %d", i+1, c.Kind, c.Event, events)
		}
		if c.Scope > ScopeVenue {
			return cmds[:given], fmt.Errorf("command %d (%s): scope %d is unknown", i+1, c.Kind, c.Scope)
		}
		if off := le.Uint32(r[offCommandData:]); le.Uint32(r[offCommandData+4:]) > 0 && off < dataStart {
			return cmds[:given], fmt.Errorf("command %d (%s): data offset %d lies in the records, which end at %d", i+1, c.Kind, off, dataStart)
		}
		var err error
		if c.Data, err = ref(out, r[offCommandData:]); err != nil {
			return cmds[:given], fmt.Errorf("command %d (%s): data: %w", i+1, c.Kind, err)
		}
		cmds = append(cmds, c)
	}
	return cmds, nil
}

// SplitData splits the Data of an EventMessage or a CmdEmit into its name and payload. ok is
// false when there is no zero byte between them or the name is empty.
func SplitData(data []byte) (name string, payload []byte, ok bool) {
	i := bytes.IndexByte(data, 0)
	if i <= 0 {
		return "", nil, false
	}
	return string(data[:i]), data[i+1:], true
}

// SplitSignal splits the Data of an EventSignal (rule is who sent it) or a CmdSignal (rule is who gets it). ok is false when one of the
// two zero bytes is missing, or rule or topic is empty.
func SplitSignal(data []byte) (rule, topic string, payload []byte, ok bool) {
	rule, rest, ok := SplitData(data)
	if !ok {
		return "", "", nil, false
	}
	topic, payload, ok = SplitData(rest)
	if !ok {
		return "", "", nil, false
	}
	return rule, topic, payload, true
}

// JoinSignal appends rule, topic and payload as SplitSignal reads them, for names without a zero byte.
func JoinSignal(dst []byte, rule, topic string, payload []byte) []byte {
	return JoinData(JoinData(dst, rule, nil), topic, payload)
}

// PackRotation packs a unit quaternion, whose parts are in 1/RotationOne, into the Aux of a RowPose: x in the lowest 16 bits, then y, z, w.
func PackRotation(x, y, z, w int16) uint64 {
	return uint64(uint16(x)) | uint64(uint16(y))<<16 | uint64(uint16(z))<<32 | uint64(uint16(w))<<48
}

// UnpackRotation is the inverse of PackRotation.
func UnpackRotation(aux uint64) (x, y, z, w int16) {
	return int16(aux), int16(aux >> 16), int16(aux >> 32), int16(aux >> 48)
}

// JoinData appends name, a zero byte and payload: the inverse of SplitData for names without
// a zero byte.
func JoinData(dst []byte, name string, payload []byte) []byte {
	dst = append(dst, name...)
	dst = append(dst, 0)
	return append(dst, payload...)
}
