package replay

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/recording"
)

// Kind says what a difference is about.
type Kind string

// Kinds of difference.
const (
	KindAnswer   Kind = "answer"   // A and B answered an event in different ways
	KindState    Kind = "state"    // the same module wrote something else into its state
	KindQuestion Kind = "question" // a rule was asked something else than when it was recorded, or not at all
	KindEffects  Kind = "effects"  // a tick's effects are not the recorded ones
)

// Difference is one thing that went otherwise.
type Difference struct {
	Tick  uint64   `json:"tick"`
	Kind  Kind     `json:"kind"`
	Rule  string   `json:"rule,omitempty"`
	Event string   `json:"event,omitempty"` // that was answered; "" when the commands name none
	A     []string `json:"a,omitempty"`     // commands, or the fault
	B     []string `json:"b,omitempty"`
	Parts []string `json:"parts,omitempty"` // KindEffects: which
	Note  string   `json:"note,omitempty"`
}

// Report is what a replay found.
type Report struct {
	Venue    string `json:"venue"`
	Region   string `json:"region"`
	Host     string `json:"host"` // that recorded
	FromTick uint64 `json:"from_tick"`
	ToTick   uint64 `json:"to_tick"`
	Ticks    int    `json:"ticks"`
	Calls    int    `json:"calls"`
	Swaps    int    `json:"swaps"`
	// ByClock counts the calls that a clock had ended, which were taken as recorded.
	ByClock int `json:"by_clock"`
	// NotCompared are the parts of the effects that mean something else in this build than in the one that recorded.
	NotCompared []string `json:"not_compared"`
	// EffectsDiffer counts the ticks whose effects are not the recorded ones.
	EffectsDiffer int          `json:"effects_differ"`
	Differences   []Difference `json:"differences"`
	More          int          `json:"more"` // differences that are not described
	Ended         string       `json:"ended,omitempty"`
	Cut           string       `json:"cut,omitempty"` // why the recording was not read to its end
}

func newReport(h *recording.Header) *Report {
	return &Report{
		Venue: h.VenueID, Region: h.Region, Host: h.Host, FromTick: h.Start.Tick, ToTick: h.Start.Tick,
		NotCompared: []string{}, Differences: []Difference{},
	}
}

// Same reports that nothing went otherwise.
func (r *Report) Same() bool { return len(r.Differences) == 0 && r.More == 0 }

func (r *Report) add(d Difference, keep int) {
	if len(r.Differences) >= keep {
		r.More++
		return
	}
	r.Differences = append(r.Differences, d)
}

// pending is a difference that is described after the step, when everybody's name is known.
type pending struct {
	kind   Kind
	rule   int
	batch  []byte
	a, b   answer
	masked *recording.Text // a's commands, when they are recorded ones
	note   string
}

// differ notes a difference, if it is one.
func (p *player) differ(d pending) {
	if d.kind == KindAnswer && d.same() {
		return
	}
	if len(p.pending)+len(p.report.Differences) > p.options.Keep {
		p.report.More++
		return
	}
	p.pending = append(p.pending, d)
}

// same compares two answers: how they failed, or the commands to each event.
func (d *pending) same() bool {
	if d.a.fault != nil || d.b.fault != nil {
		return d.a.fault != nil && d.b.fault != nil && d.a.fault.Kind == d.b.fault.Kind
	}
	if d.masked != nil && d.masked.Same(d.b.out) {
		return true
	}
	a, errA := decode(d.a.out, d.masked)
	b, errB := decode(d.b.out, nil)
	if errA != nil || errB != nil {
		return string(d.a.out) == string(d.b.out)
	}
	return slices.EqualFunc(a, b, command.same)
}

// command is a command with what is known of the names in its data.
type command struct {
	abi.Command
	data recording.Text
}

func (c command) same(other command) bool {
	x, y := c.Command, other.Command
	if !c.data.Same(y.Data) {
		return false
	}
	x.Data, y.Data = nil, nil
	return x.Kind == y.Kind && x.Scope == y.Scope && x.Event == y.Event && x.Subject == y.Subject && x.Object == y.Object && x.Value == y.Value &&
		x.X == y.X && x.Y == y.Y && x.Z == y.Z && x.Aux == y.Aux
}

// decode reads commands.
func decode(out []byte, masked *recording.Text) ([]command, error) {
	list, err := abi.DecodeCommands(out, ^uint32(0), nil)
	if err != nil {
		return nil, err
	}
	cmds := make([]command, len(list))
	for i, c := range list {
		cmds[i] = command{c, recording.Text{Bytes: c.Data}}
		if masked == nil || len(c.Data) == 0 {
			continue
		}
		size := int(binary.LittleEndian.Uint16(out[6:]))
		from := binary.LittleEndian.Uint32(out[abi.CommandHeaderSize+i*size+44:])
		for _, s := range masked.Masked {
			start, end := max(s.At, from), min(s.At+s.N, from+uint32(len(c.Data)))
			if start < end {
				cmds[i].data.Masked = append(cmds[i].data.Masked, recording.Span{At: start - from, N: end - start})
			}
		}
	}
	return cmds, nil
}

// describe turns the tick's differences into sentences.
func (p *player) describe(tick uint64) {
	for i := range p.pending {
		d := &p.pending[i]
		base := Difference{Tick: tick, Kind: d.kind, Rule: p.header.Rules[d.rule].Name, Note: d.note}
		switch d.kind {
		case KindAnswer:
			for _, diff := range p.answers(d, base) {
				p.report.add(diff, p.options.Keep)
			}
		case KindState:
			base.A, base.B = p.ops(d.a.ops), p.ops(d.b.ops)
			p.report.add(base, p.options.Keep)
		default:
			p.report.add(base, p.options.Keep)
		}
	}
	clear(p.pending)
	p.pending = p.pending[:0]
}

// answers describes what differs, one difference an event.
func (p *player) answers(d *pending, base Difference) []Difference {
	var batch abi.Decoded
	_ = abi.DecodeBatch(d.batch, &batch) // the region made it
	a, errA := decode(d.a.out, d.masked)
	b, errB := decode(d.b.out, nil)
	if d.a.fault != nil || d.b.fault != nil || errA != nil || errB != nil {
		base.Event = fmt.Sprintf("a batch of %d events", len(batch.Events))
		if len(batch.Events) == 1 {
			base.Event = p.event(&batch.Events[0])
		}
		base.A, base.B = p.whole(&d.a, a, errA), p.whole(&d.b, b, errB)
		return []Difference{base}
	}
	byA, byB := byEvent(a), byEvent(b)
	var out []Difference
	for _, n := range slices.Sorted(maps.Keys(union(byA, byB))) {
		if slices.EqualFunc(byA[n], byB[n], command.same) {
			continue
		}
		diff := base
		if n > 0 && int(n) <= len(batch.Events) {
			diff.Event = p.event(&batch.Events[n-1])
		}
		diff.A, diff.B = p.commands(byA[n]), p.commands(byB[n])
		out = append(out, diff)
	}
	if len(out) == 0 {
		base.Note = "the same commands in another order"
		base.A, base.B = p.commands(a), p.commands(b)
		out = append(out, base)
	}
	return out
}

func byEvent(cmds []command) map[uint32][]command {
	out := map[uint32][]command{}
	for _, c := range cmds {
		out[c.Event] = append(out[c.Event], c)
	}
	return out
}

func union(a, b map[uint32][]command) map[uint32]bool {
	out := map[uint32]bool{}
	for n := range a {
		out[n] = true
	}
	for n := range b {
		out[n] = true
	}
	return out
}
