package crowd

import (
	"fmt"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/view"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// Settings of the measurement of waits.
const (
	sampleViewers = 8
	ackFrames     = 3 // how late acknowledgements are: 100 ms
	settleFrames  = 20 * tickHz
	watchFrames   = 5 * tickHz
)

// farRefresh returns the longest that an avatar, once shown to a viewer, waited for its next update,
// in seconds.
func farRefresh(p *people) (float64, error) {
	v := &venues.Venue{
		ID: "bench", TickHz: tickHz, SendHz: tickHz, Cell: cell, Interest: venues.CompiledInterest{Near: near},
		Floors:  []venues.FloorGeom{{Name: "hall", MaxY: 4 * lattice.Steps}},
		Regions: []venues.Region{{Name: "hall"}},
	}
	w := view.NewWorld(v)
	rec := &stream.Record{Region: "hall", Incarnation: 1, Epoch: 1, Key: true, Entities: make([]stream.Entity, len(p.at))}
	var lookers []*looker
	for i := range min(sampleViewers, len(p.at)) {
		self := uint64(i*len(p.at)/sampleViewers + 1)
		lookers = append(lookers, &looker{client: view.NewClient(w, self), view: wire.NewView(), last: map[uint64]int{}})
	}
	for n := range settleFrames + watchFrames {
		p.walk()
		rec.N, rec.Tick = uint64(n+1), uint64(n+1)
		p.record(rec)
		if err := w.Apply(rec); err != nil {
			return 0, err
		}
		rec.Key = false
		for _, l := range lookers {
			if err := l.look(n); err != nil {
				return 0, err
			}
		}
	}
	longest := 0
	for _, l := range lookers {
		longest = max(longest, l.longest)
	}
	return float64(longest) / tickHz, nil
}

// record writes everybody's state: heads and hands move as walking ones do.
func (p *people) record(rec *stream.Record) {
	for i := range rec.Entities {
		swing := int32((int(rec.Tick)+7*i)%30-15) * 20
		e := &rec.Entities[i]
		e.ID, e.Kind, e.Session = uint64(i+1), stream.Avatar, uint64(i+1)
		head := p.at[i].Add(lattice.Vec{Y: 1700 + swing/40})
		b := &e.State.Body
		b.Head.Pos = head
		b.Head.Rot.C[1] = int16(swing / 4)
		b.Left.Pos, b.Right.Pos = head.Add(lattice.Vec{X: -250, Y: -600, Z: swing}), head.Add(lattice.Vec{X: 250, Y: -600, Z: -swing})
		b.Left.Rot.C[0], b.Right.Rot.C[0] = int16(swing/3), int16(-swing/3)
		e.State.AgeMS = 20
	}
}

// looker is a viewer with both ends of its lane.
type looker struct {
	client  *view.Client
	view    *wire.View
	buf     []byte
	last    map[uint64]int // frame of the newest update, by entity
	longest int
	acks    [ackFrames + 1]struct {
		known bool
		seq   uint16
		bits  uint32
	}
}

func (l *looker) look(n int) error {
	l.buf = l.client.Frame(l.buf, uint64(n+1), view.FrameHints{})
	_, err := l.view.Apply(l.buf, func(r wire.Record) {
		if r.Op == wire.OpLeave {
			delete(l.last, r.Info.ID)
			return
		}
		l.last[r.Info.ID] = n
	})
	if err != nil {
		return fmt.Errorf("frame %d: %w", n, err)
	}
	if n > settleFrames {
		for _, seen := range l.last {
			l.longest = max(l.longest, n-seen)
		}
	}
	a := &l.acks[n%len(l.acks)]
	a.known, a.seq, a.bits = l.view.Ack()
	if late := &l.acks[(n+1)%len(l.acks)]; late.known {
		return l.client.Ack(late.seq, late.bits)
	}
	return nil
}
