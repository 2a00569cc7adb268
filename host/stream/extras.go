package stream

import (
	"encoding/binary"

	"github.com/venued/venued/lattice"
)

// EntityExtras is what the optional streams of an avatar say. They travel beside the entities: they are no part of what a region
// decides, are not logged and not recorded, and come again within a tenth of a second.
type EntityExtras struct {
	ID     uint64
	Extras lattice.Extras
}

// An avatar's extras begin with a byte: which streams are there (3 bits), which hands (2 bits). Then come the gaze (yaw, pitch), the
// curls of each tracked hand in 25 bits of four bytes, and the root.
const (
	extrasHands    = lattice.StreamCount
	extrasBits     = lattice.StreamCount + 2
	extrasLeast    = 1
	curlBits       = 5
	curlsBytes     = 4
	entityExtraMin = 1 + extrasLeast
)

func appendExtras(dst []byte, e *lattice.Extras) []byte {
	dst = append(dst, byte(e.Has)|e.Fingers.Hands<<extrasHands)
	if e.Has&lattice.StreamGaze != 0 {
		dst = appendInt(appendInt(dst, int64(e.Gaze.Yaw)), int64(e.Gaze.Pitch))
	}
	for h, c := range e.Fingers.Curls {
		if e.Fingers.Hands>>h&1 == 0 {
			continue
		}
		var bits uint32
		for i, v := range c {
			bits |= uint32(v) << (curlBits * i)
		}
		dst = binary.LittleEndian.AppendUint32(dst, bits)
	}
	if e.Has&lattice.StreamRoot != 0 {
		dst = appendUint(appendVec(dst, e.Root.Off), uint64(e.Root.Yaw))
	}
	return dst
}

// extras reads what appendExtras wrote. The result is checked.
func (r *reader) extras() (e lattice.Extras) {
	first := r.byte("streams")
	if first>>extrasBits != 0 {
		r.fail("streams", "unknown bits in %#02x", first)
	}
	e.Has = lattice.Streams(first) & lattice.AllStreams
	e.Fingers.Hands = first >> extrasHands & 3
	if e.Has&lattice.StreamGaze != 0 {
		e.Gaze = lattice.Gaze{Yaw: r.small("gaze yaw"), Pitch: r.small("gaze pitch")}
	}
	for h := range e.Fingers.Curls {
		if e.Fingers.Hands>>h&1 != 0 {
			r.curls(&e.Fingers.Curls[h])
		}
	}
	if e.Has&lattice.StreamRoot != 0 {
		e.Root = lattice.Root{Off: r.vec("root"), Yaw: uint16(r.uintTo("root yaw", lattice.YawSteps-1))}
	}
	if r.err == nil {
		if err := e.Check(); err != nil {
			r.fail("streams", "%v", err)
		}
	}
	return e
}

func (r *reader) curls(c *lattice.Curls) {
	if len(r.b) < curlsBytes {
		r.fail("curls", "cut short")
		return
	}
	bits := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[curlsBytes:]
	for i := range c {
		c[i] = uint8(bits>>(curlBits*i)) & lattice.CurlSteps
	}
	if bits>>(curlBits*len(c)) != 0 {
		r.fail("curls", "unknown bits in %#08x", bits)
	}
}

// small reads a signed number of 16 bits.
func (r *reader) small(field string) int16 {
	v := r.int(field)
	if v != int64(int16(v)) {
		r.fail(field, "%d does not fit 16 bits", v)
		return 0
	}
	return int16(v)
}

func appendEntityExtras(dst []byte, all []EntityExtras) []byte {
	dst = appendUint(dst, uint64(len(all)))
	var last uint64
	for i := range all {
		dst = appendInt(dst, int64(all[i].ID-last))
		last = all[i].ID
		dst = appendExtras(dst, &all[i].Extras)
	}
	return dst
}

func (r *reader) entityExtras(all []EntityExtras) []EntityExtras {
	var last uint64
	for range r.count("extras", entityExtraMin) {
		id := last + uint64(r.int("extras entity"))
		last = id
		e := r.extras()
		if r.err != nil {
			break
		}
		all = append(all, EntityExtras{id, e})
	}
	return all
}
