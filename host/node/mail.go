package node

import (
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
)

// mailBatch is how many messages to another region go in one batch.
const mailBatch = 128

// mail carries what a region and others of the venue tell each other. The region keeps what it sends until it is acknowledged, and
// sends it again; so nothing here is kept but which acknowledgements wait until they may be given: once the tick that took the
// messages is durable. The driver's goroutine owns it.
type mail struct {
	acks map[string]ack // by region
	buf  []byte
	out  []stream.Input
}

// ack is up to where another region's messages are taken, and since which tick.
type ack struct {
	at   stream.RegionPoint
	tick uint64
}

// exchange sends a tick's messages to other regions, and the acknowledgements that are due.
func (d *driver) exchange(l *life, e *scene.Effects) {
	m := &l.mail
	if m.acks == nil {
		m.acks = map[string]ack{}
	}
	for i := range e.Heard {
		h := &e.Heard[i]
		if old, waits := m.acks[h.To]; !waits || old.at.Before(h.At) {
			m.acks[h.To] = ack{h.At, e.Tick}
		}
	}
	if len(e.Out)+len(m.acks) == 0 {
		return
	}
	for i := range d.node.cfg.Venue.Regions {
		to := d.node.cfg.Venue.Regions[i].Name
		m.out = m.out[:0]
		if a, waits := m.acks[to]; waits && a.tick <= l.durable {
			delete(m.acks, to)
			m.out = append(m.out, stream.Input{Kind: stream.InputRegionAck, Region: &stream.RegionMessage{From: d.key.Region, To: to, At: a.at}})
		}
		for k := range e.Out {
			if e.Out[k].To == to {
				m.out = append(m.out, stream.Input{Kind: stream.InputRegion, Region: &e.Out[k]})
			}
		}
		for len(m.out) > 0 {
			n := min(len(m.out), mailBatch)
			d.sendMail(l, to, m.out[:n])
			m.out = m.out[n:]
		}
	}
}

func (d *driver) sendMail(l *life, to string, in []stream.Input) {
	m := &l.mail
	m.buf = stream.AppendInputs(m.buf[:0], stream.BatchHeader{Incarnation: l.lease.Incarnation, Epoch: l.lease.Epoch, N: l.n}, in)
	if err := d.node.cfg.Bus.Publish(bus.Mail(d.key.Venue, to), m.buf); err != nil {
		d.log.Warn("messages to another region not sent: they are sent again within seconds", "to", to, "messages", len(in), "error", err)
		return
	}
	d.metric.mailSent.Add(float64(len(in)))
}

// receiveMail takes a batch of another region's messages off the bus.
func (d *driver) receiveMail(msg bus.Msg) {
	var h stream.BatchHeader
	in, err := stream.DecodeInputs(msg.Data, &h, nil)
	for i := range in {
		if k := in[i].Kind; k != stream.InputRegion && k != stream.InputRegionAck {
			in, err = nil, errNoMail
			break
		}
	}
	if err != nil {
		d.refuse("batch of messages of another region", err)
		return
	}
	d.inbox.add(in)
}
