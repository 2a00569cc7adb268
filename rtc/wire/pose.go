package wire

import (
	"encoding/binary"
	"math/bits"

	"github.com/venued/venued/lattice"
)

// Widths of absolute positions: the narrow form spans ±512 m for a head or an object, ±2 m for
// a hand relative to its head.
const (
	narrowHead = 20
	narrowHand = 12
	wide       = 32
)

// coordinateMax is the largest absolute coordinate a message may carry, lattice steps.
const coordinateMax = lattice.MaxMetres * lattice.Steps

// maxPose is the size of a pose with every long form, bytes.
const maxPose = 1 + (16+32+1+48+3*(1+3*wide+35)+maxExtras+7)/8

// TypeOf reads the first byte of a binary message. An *Error with CodeBadVersion says
// which side is older; CodeBadMessage is an empty message or an unknown type.
func TypeOf(b []byte) (MsgType, error) {
	if len(b) == 0 {
		return 0, errorf(CodeBadMessage, "byte 0", "the message is empty")
	}
	if v := b[0] >> 4; v != Version {
		older := "the sender"
		if v > Version {
			older = "this side"
		}
		return 0, errorf(CodeBadVersion, "byte 0", "protocol version %d; this side speaks %d: %s is older and must be updated", v, Version, older)
	}
	t := MsgType(b[0] & 15)
	if t < MsgPose || t > MsgFrame {
		return 0, errorf(CodeBadMessage, "byte 0", "unknown message type %d; known are pose 1, ping 2, pong 3, frame 4", t)
	}
	return t, nil
}

// expect checks that b is of type want.
func expect(b []byte, want MsgType) error {
	t, err := TypeOf(b)
	if err != nil {
		return err
	}
	if t != want {
		return errorf(CodeBadMessage, "byte 0", "message type %d where %d is expected", t, want)
	}
	return nil
}

// AppendPing appends p as a message to dst.
func AppendPing(dst []byte, p *Ping) []byte {
	dst = append(dst, Version<<4|byte(MsgPing))
	return binary.LittleEndian.AppendUint64(dst, p.T0)
}

// AppendPong appends p as a message to dst.
func AppendPong(dst []byte, p *Pong) []byte {
	dst = append(dst, Version<<4|byte(MsgPong))
	dst = binary.LittleEndian.AppendUint64(dst, p.T0)
	dst = binary.LittleEndian.AppendUint64(dst, p.T1)
	return binary.LittleEndian.AppendUint64(dst, p.T2)
}

// DecodePing reads a ping. Errors are *Error.
func DecodePing(b []byte, p *Ping) error {
	if err := expectLen(b, MsgPing, 9); err != nil {
		return err
	}
	p.T0 = binary.LittleEndian.Uint64(b[1:])
	return nil
}

// DecodePong reads a pong. Errors are *Error.
func DecodePong(b []byte, p *Pong) error {
	if err := expectLen(b, MsgPong, 25); err != nil {
		return err
	}
	p.T0 = binary.LittleEndian.Uint64(b[1:])
	p.T1 = binary.LittleEndian.Uint64(b[9:])
	p.T2 = binary.LittleEndian.Uint64(b[17:])
	return nil
}

func expectLen(b []byte, t MsgType, n int) error {
	if err := expect(b, t); err != nil {
		return err
	}
	if len(b) != n {
		return errorf(CodeBadMessage, "length", "%d bytes; a message of type %d has %d", len(b), t, n)
	}
	return nil
}

// AppendPose appends p as a message to dst. Coordinates must be within
// ±lattice.MaxMetres and rotations valid; DecodePose refuses others.
func AppendPose(dst []byte, p *Pose) []byte {
	var buf [maxPose]byte
	w := bitWriter{buf: buf[:], max: len(buf)}
	w.put(Version<<4|uint32(MsgPose), 8)
	w.put(uint32(p.Seq), 16)
	w.put(p.Stamp, 32)
	w.bit(p.HasAck)
	if p.HasAck {
		w.put(uint32(p.AckSeq), 16)
		w.put(p.AckBits, 32)
	}
	w.point(p.Body.Head.Pos, narrowHead)
	w.rot(p.Body.Head.Rot)
	w.point(p.Body.Left.Pos.Sub(p.Body.Head.Pos), narrowHand)
	w.rot(p.Body.Left.Rot)
	w.point(p.Body.Right.Pos.Sub(p.Body.Head.Pos), narrowHand)
	w.rot(p.Body.Right.Rot)
	w.extras(p.Said, &p.Extras)
	return append(dst, w.finish()...)
}

// DecodePose reads a pose. p is changed only when it succeeds. Errors are *Error and name
// the field: "length", "byte 0", "head.pos.x", "left.rot" and so on.
func DecodePose(b []byte, p *Pose) error {
	if err := expect(b, MsgPose); err != nil {
		return err
	}
	r := bitReader{buf: b, pos: 8}
	var q Pose
	q.Seq = uint16(r.get(16))
	q.Stamp = r.get(32)
	if q.HasAck = r.bit(); q.HasAck {
		q.AckSeq = uint16(r.get(16))
		q.AckBits = r.get(32)
	}
	q.Body.Head.Pos = r.point(narrowHead)
	q.Body.Head.Rot = r.rot()
	q.Body.Left.Pos = q.Body.Head.Pos.Add(r.point(narrowHand))
	q.Body.Left.Rot = r.rot()
	q.Body.Right.Pos = q.Body.Head.Pos.Add(r.point(narrowHand))
	q.Body.Right.Rot = r.rot()
	said, extras, err := r.extras()
	if err != nil {
		return err
	}
	q.Said, q.Extras = said, extras
	if err := r.end(); err != nil {
		return err
	}
	if err := checkBody(&q.Body); err != nil {
		return err
	}
	*p = q
	return nil
}

// point writes a bit for the wide form and three coordinates.
func (w *bitWriter) point(v lattice.Vec, narrow uint) {
	width := narrow
	if need(v) > narrow {
		width = wide
	}
	w.bit(width == wide)
	w.vec(v, width)
}

func (r *bitReader) point(narrow uint) lattice.Vec {
	if r.bit() {
		return r.vec(wide)
	}
	return r.vec(narrow)
}

func (w *bitWriter) vec(v lattice.Vec, width uint) {
	w.signed(v.X, width)
	w.signed(v.Y, width)
	w.signed(v.Z, width)
}

func (r *bitReader) vec(width uint) lattice.Vec {
	return lattice.Vec{X: r.signed(width), Y: r.signed(width), Z: r.signed(width)}
}

// rot writes the index of the left-out component in 2 bits and the three others in 11 each.
func (w *bitWriter) rot(q lattice.Rot) {
	const mask = 1<<11 - 1
	w.put(uint32(q.Largest)&3|uint32(q.C[0])&mask<<2|uint32(q.C[1])&mask<<13, 24)
	w.signed(int32(q.C[2]), 11)
}

func (r *bitReader) rot() lattice.Rot {
	first := r.get(24)
	return lattice.Rot{
		Largest: uint8(first & 3),
		C:       [3]int16{int16(first<<3) >> 5, int16(first>>8) >> 5, int16(r.signed(11))},
	}
}

// need returns how many bits the widest coordinate takes, two's complement.
func need(v lattice.Vec) uint {
	magnitudes := (v.X ^ v.X>>31) | (v.Y ^ v.Y>>31) | (v.Z ^ v.Z>>31)
	return uint(bits.Len32(uint32(magnitudes))) + 1
}

func checkBody(b *lattice.Body) *Error {
	if err := checkJoint("head", &b.Head); err != nil {
		return err
	}
	if err := checkJoint("left", &b.Left); err != nil {
		return err
	}
	return checkJoint("right", &b.Right)
}

func checkJoint(name string, j *lattice.Joint) *Error {
	if !coordinate(j.Pos.X) {
		return outOfBounds(name+".pos.x", j.Pos.X)
	}
	if !coordinate(j.Pos.Y) {
		return outOfBounds(name+".pos.y", j.Pos.Y)
	}
	if !coordinate(j.Pos.Z) {
		return outOfBounds(name+".pos.z", j.Pos.Z)
	}
	if !j.Rot.Valid() {
		return errorf(CodeBadField, name+".rot", "%v is not a rotation: components must be within ±%d and the left-out one the largest", j.Rot, lattice.RotMax)
	}
	return nil
}

func coordinate(c int32) bool { return c >= -coordinateMax && c <= coordinateMax }

func outOfBounds(field string, c int32) *Error {
	return errorf(CodeBadField, field, "%d steps are outside ±%d m", c, lattice.MaxMetres)
}
