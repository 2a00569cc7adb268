package stream

import (
	"bytes"

	"github.com/venued/venued/lattice"
)

// BatchHeader says where a batch of inputs comes from.
type BatchHeader struct {
	Gateway     uint64 // the gateway's id, of its start
	Incarnation uint64 // of the region's owner that the gateway last heard
	Epoch       uint64 // of the region that the gateway last heard
	N           uint64 // batches of this gateway to this region, from 1
}

// MaxBatch is the largest number of inputs in one batch; DecodeInputs refuses more, so
// senders start another batch.
const MaxBatch = 16384

// Fields of an input that are there, by bit. Those that are zero are not written.
const (
	inSeq = 1 << iota
	inPoseSeq
	inBody
	inObject
	inHand
	inHandAt
	inUser
	inName
	inSpawn
	inHasPlace
	inLoad
	inReason
	inTopic
	inData
	inRegion
	inExtras
	inSpeaking
	inAll = 1<<iota - 1
)

// Flags of a message between regions.
const (
	messageLoad = 1 << iota
	messageAgain
)

// AppendInputs appends a batch of at most MaxBatch inputs to dst.
func AppendInputs(dst []byte, h BatchHeader, in []Input) []byte {
	dst = append(dst, codecVersion<<4|typeInputs)
	dst = appendUint(dst, h.Gateway)
	dst = appendUint(dst, h.Incarnation)
	dst = appendUint(dst, h.Epoch)
	dst = appendUint(dst, h.N)
	dst = appendUint(dst, uint64(len(in)))
	var arrival int64 // stamps and arrivals lie close together
	for i := range in {
		dst = appendInput(dst, &in[i], arrival)
		arrival = in[i].Arrival
	}
	return dst
}

func appendInput(dst []byte, x *Input, arrival int64) []byte {
	mask := x.mask()
	dst = append(dst, byte(x.Kind))
	dst = appendUint(dst, mask)
	dst = appendUint(dst, x.Session)
	dst = appendInt(dst, x.Arrival-arrival)
	dst = appendInt(dst, x.Stamp-x.Arrival)
	if mask&inSeq != 0 {
		dst = appendUint(dst, uint64(x.Seq))
	}
	if mask&inPoseSeq != 0 {
		dst = appendUint(dst, uint64(x.PoseSeq))
	}
	if mask&inBody != 0 {
		dst = appendState(dst, &State{Body: x.Body}, &noState, false)
	}
	if mask&inObject != 0 {
		dst = appendUint(dst, x.Object)
	}
	if mask&inHand != 0 {
		dst = append(dst, x.Hand)
	}
	if mask&inHandAt != 0 {
		dst = appendRot(appendVec(dst, x.HandAt.Pos), x.HandAt.Rot)
	}
	if mask&inUser != 0 {
		dst = appendText(dst, x.User)
	}
	if mask&inName != 0 {
		dst = appendText(dst, x.Name)
	}
	if mask&inSpawn != 0 {
		dst = appendText(dst, x.Spawn)
	}
	if mask&inReason != 0 {
		dst = appendUint(dst, uint64(x.Reason))
	}
	if mask&inTopic != 0 {
		dst = appendText(dst, x.Topic)
	}
	if mask&inData != 0 {
		dst = appendText(dst, x.Data)
	}
	if mask&inRegion != 0 {
		dst = appendRegionMessage(dst, x.Region)
	}
	if mask&inExtras != 0 {
		dst = appendExtras(append(dst, byte(x.Said)), &x.Extras)
	}
	return dst
}

func appendRegionMessage(dst []byte, m *RegionMessage) []byte {
	dst = append(dst, byte(m.Kind))
	for _, p := range [...]RegionPoint{m.At, m.After} {
		dst = appendUint(appendUint(dst, p.Epoch), p.N)
	}
	for _, s := range [...]string{m.From, m.To, m.Rule, m.Sender, m.Plugin, m.Digest, m.Topic, m.User} {
		dst = appendText(dst, s)
	}
	flags := byte(0)
	if m.Load {
		flags |= messageLoad
	}
	if m.Again {
		flags |= messageAgain
	}
	return append(appendText(dst, m.Data), flags)
}

func (x *Input) mask() (mask uint64) {
	for _, f := range [...]struct {
		bit   uint64
		there bool
	}{
		{inSeq, x.Seq != 0}, {inPoseSeq, x.PoseSeq != 0}, {inBody, x.Body != lattice.Body{}},
		{inObject, x.Object != 0}, {inHand, x.Hand != 0}, {inHandAt, x.HandAt != lattice.Joint{}},
		{inUser, x.User != ""}, {inName, x.Name != ""}, {inSpawn, x.Spawn != ""},
		{inHasPlace, x.HasPlace}, {inLoad, x.Load}, {inReason, x.Reason != 0},
		{inTopic, x.Topic != ""}, {inData, len(x.Data) > 0}, {inRegion, x.Region != nil},
		{inExtras, x.Said != 0}, {inSpeaking, x.Speaking},
	} {
		if f.there {
			mask |= f.bit
		}
	}
	return mask
}

// DecodeInputs reads a batch into h and appends its inputs to in; nothing in them shares memory
// with b. On an error, which wraps ErrMalformed, in comes back as it was given.
func DecodeInputs(b []byte, h *BatchHeader, in []Input) ([]Input, error) {
	var r reader
	r.start(b, typeInputs)
	head := BatchHeader{
		Gateway:     r.uint("gateway"),
		Incarnation: r.uint("incarnation"),
		Epoch:       r.uint("epoch"),
		N:           r.uint("n"),
	}
	n := r.count("inputs", 5)
	if n > MaxBatch {
		r.fail("inputs", "%d; at most %d", n, MaxBatch)
	}
	out := in
	var arrival int64
	for i := 0; i < n && r.err == nil; i++ {
		out = append(out, Input{})
		r.input(&out[len(out)-1], arrival)
		arrival = out[len(out)-1].Arrival
	}
	r.end()
	if r.err != nil {
		return in, r.err
	}
	*h = head
	return out, nil
}

func (r *reader) input(x *Input, arrival int64) {
	x.Kind = InputKind(r.byte("kind"))
	if r.err == nil && (x.Kind < InputPose || x.Kind > InputDurable) {
		r.fail("kind", "%d is not a kind of input", x.Kind)
	}
	mask := r.uintTo("mask", inAll)
	x.Session = r.uint("session")
	x.Arrival = arrival + r.int("arrival")
	x.Stamp = x.Arrival + r.int("stamp")
	if mask&inSeq != 0 {
		x.Seq = uint32(r.uintTo("seq", 1<<32-1))
	}
	if mask&inPoseSeq != 0 {
		x.PoseSeq = uint16(r.uintTo("pose seq", 1<<16-1))
	}
	if mask&inBody != 0 {
		var s State
		r.state(&s)
		x.Body = s.Body
	}
	if mask&inObject != 0 {
		x.Object = r.uint("object")
	}
	if mask&inHand != 0 {
		x.Hand = r.byte("hand")
	}
	if mask&inHandAt != 0 {
		x.HandAt.Pos = r.vec("hand position")
		x.HandAt.Rot = r.rot("hand rotation")
	}
	if mask&inUser != 0 {
		x.User = r.string("user")
	}
	if mask&inName != 0 {
		x.Name = r.string("name")
	}
	if mask&inSpawn != 0 {
		x.Spawn = r.string("spawn")
	}
	x.HasPlace = mask&inHasPlace != 0
	x.Speaking = mask&inSpeaking != 0
	x.Load = mask&inLoad != 0
	if mask&inReason != 0 {
		x.Reason = uint16(r.uintTo("reason", 1<<16-1))
	}
	if mask&inTopic != 0 {
		x.Topic = r.string("topic")
	}
	if mask&inData != 0 {
		if data := r.bytes("data"); len(data) > 0 {
			x.Data = bytes.Clone(data)
		}
	}
	if mask&inRegion != 0 {
		x.Region = r.regionMessage()
	}
	if mask&inExtras != 0 {
		x.Said, x.Extras = lattice.Streams(r.byte("said")), r.extras()
		if r.err == nil && (x.Said == 0 || x.Said > lattice.AllStreams || x.Extras.Has&^x.Said != 0) {
			r.fail("said", "streams %#x, of which %#x are there", x.Said, x.Extras.Has)
		}
	}
}

func (r *reader) regionMessage() *RegionMessage {
	m := &RegionMessage{Kind: RegionMessageKind(r.byte("region message kind"))}
	for _, p := range [...]*RegionPoint{&m.At, &m.After} {
		p.Epoch, p.N = r.uint("region message epoch"), r.uint("region message number")
	}
	for _, s := range [...]*string{&m.From, &m.To, &m.Rule, &m.Sender, &m.Plugin, &m.Digest, &m.Topic, &m.User} {
		*s = r.string("region message text")
	}
	if data := r.bytes("region message data"); len(data) > 0 {
		m.Data = bytes.Clone(data)
	}
	flags := r.byte("region message flags")
	if flags > messageLoad|messageAgain {
		r.fail("region message flags", "unknown bits in %#02x", flags)
	}
	m.Load, m.Again = flags&messageLoad != 0, flags&messageAgain != 0
	return m
}
