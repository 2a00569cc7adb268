package codec

import (
	"fmt"
	"math/rand/v2"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// network is what lies between server and client.
type network struct {
	loss  float64 // each way
	rttMS float64
}

// update is one that was sent: for measuring again what it costs.
type update struct {
	state *stream.State
	tick  uint32
	past  wire.Past
	delta wire.Delta
}

// sent is what became of a clip on its way.
type sent struct {
	updates []update
	bits    []int // of each frame after the first: update or full state
	key     int   // full states among them
	fresh   int   // ticks at which the client's newest state was at most one tick older than the way is long
	ticks   int
}

// maxBaseAge is how many frames old a baseline may be, as the gateway has it.
const maxBaseAge = 60

// lane carries one clip. Frame numbers are ticks, from 1, so they need no unwrapping.
type lane struct {
	states  []stream.State
	fine    bool
	told    wire.Told
	applied []bool // by the client, by frame
	newest  int    // of the client
	heard   int    // of the server: acknowledgements up to this sample were taken
	acks    []ack
}

// ack is an acknowledgement on its way; lost ones never arrive.
type ack struct {
	arrivesMS float64
	newest    int
	bits      uint32
}

// carry sends a clip's states over a network. Every state that arrives must be the one that was sent.
func carry(states []stream.State, fine bool, net network, phase float64, seed uint64) (*sent, error) {
	const tickMS = 1000.0 / Hz
	rng := rand.New(rand.NewPCG(seed, 1))
	l := &lane{states: states, fine: fine, applied: make([]bool, len(states)+1)}
	out := &sent{}
	received := 0 // frames up to this one were received or lost
	lost := make([]bool, len(states)+1)
	for t := 1; t <= len(states); t++ {
		// The client's samples come phase ticks after the frames are sent: the one of the last tick, and what had
		// arrived by then.
		now := float64(t) * tickMS
		sample := now - tickMS + phase*tickMS
		for received+1 < t && float64(received+1)*tickMS+net.rttMS/2 <= sample {
			received++
			if !lost[received] {
				l.apply(received)
			}
		}
		if rng.Float64() >= net.loss && l.newest > 0 {
			l.acks = append(l.acks, ack{sample + net.rttMS/2, l.newest, l.history()})
		}
		for l.heard < len(l.acks) && l.acks[l.heard].arrivesMS <= now {
			l.hear(l.acks[l.heard])
			l.heard++
		}
		lost[t] = t > 1 && rng.Float64() < net.loss
		if err := l.send(t, out); err != nil {
			return nil, err
		}
		if out.ticks++; !lost[t] || t > 1 && !lost[t-1] {
			out.fresh++
		}
	}
	return out, nil
}

func (l *lane) apply(frame int) { l.applied[frame], l.newest = true, frame }

// history tells of the 32 frames before the newest.
func (l *lane) history() (bits uint32) {
	for i := range 32 {
		if f := l.newest - 1 - i; f > 0 && l.applied[f] {
			bits |= 1 << i
		}
	}
	return bits
}

func (l *lane) hear(a ack) {
	confirm := func(f int) {
		l.told.Confirm(wire.ToldFrame{Frame: uint64(f), Tick: uint32(f), Version: uint32(f), Enter: f == 1}, uint64(a.newest))
	}
	confirm(a.newest)
	for i := range 32 {
		if a.bits>>i&1 != 0 {
			confirm(a.newest - 1 - i)
		}
	}
}

// send codes a frame's update and decodes it as the client will.
func (l *lane) send(t int, out *sent) error {
	state := &l.states[t-1]
	frames, alone := l.told.Past()
	if len(frames) == 0 || t-int(frames[0].Frame) > maxBaseAge {
		if t > 1 {
			out.bits, out.key = append(out.bits, keyBits(l.fine)), out.key+1
		}
		return nil
	}
	out.updates = append(out.updates, update{state: state, tick: uint32(t), past: wire.Past{Fine: l.fine, Alone: alone}})
	u := &out.updates[len(out.updates)-1]
	for _, f := range frames {
		u.past.Push(&l.states[f.Version-1], f.Tick)
	}
	u.delta.Encode(state, u.tick, &u.past, false)
	client := l.pastOf(int(frames[0].Frame), alone)
	var got stream.State
	if err := u.delta.Decode(&got, u.tick, &client); err != nil || got != *state {
		return fmt.Errorf("update %d decodes to another state (%v): a fault of the codec", t, err)
	}
	reference := 1 // the same as of the update before it in the frame
	if alone {
		reference = 8
	}
	out.bits = append(out.bits, reference+u.delta.Bits())
	return nil
}

// pastOf is what the client has: the baseline and what it applied before, all by itself.
func (l *lane) pastOf(base int, alone bool) wire.Past {
	p := wire.Past{Fine: l.fine}
	for f := base; f > 0 && f+wire.HistoryFrames >= base; f-- {
		if (l.applied[f]) && (!p.Push(&l.states[f-1], uint32(f)) || alone) {
			break
		}
	}
	return p
}

// keyBits is the length of a full state of somebody with hands: hands, mask, positions of 20 and 12 bits a coordinate and
// 35 bits a rotation; on the fine lattice a bit more for each number.
func keyBits(fine bool) int {
	n := 1 + 8 + (1 + 3*20 + 35) + 2*(1+3*12+35)
	if fine {
		n += 18
	}
	return n
}
