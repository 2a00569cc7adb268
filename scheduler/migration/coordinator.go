package migration

import (
	"errors"
	"fmt"
	"slices"
)

// Stage is how far a move is.
type Stage string

// Stages of a move.
const (
	StageIntent   Stage = "intent"   // it is being written into the ledger
	StagePrepare  Stage = "prepare"  // the state is on its way to the target
	StageSwitch   Stage = "switch"   // the target follows; the source is told to stop
	StageRoute    Stage = "route"    // the target has it; that is being written
	StageCleanUp  Stage = "clean-up" // the source is told to let go
	StageAborting Stage = "aborting" // both are told to give up; who owns the region is being found out
	StageDone     Stage = "done"
	StageAborted  Stage = "aborted"
)

// Progress is a move as operators see it.
type Progress struct {
	Region  string
	Move    Intent
	Stage   Stage
	Reason  string // of an abort
	Began   int64
	Entered [2]int64 // when the switch was ordered, when the target had it; 0 before
	Ended   int64    // 0: it goes on
}

// Errors of orders, to be told apart with errors.Is; what is returned names region and node.
var (
	ErrUnknown = errors.New("it is not known")
	ErrBusy    = errors.New("the region is being moved")
	ErrOwns    = errors.New("the node has the region already")
	ErrNode    = errors.New("the node takes no regions")
	ErrTooLate = errors.New("the move cannot be given up any more")
	ErrNoOwner = errors.New("the region has no owner that is heard of")
)

// CoordinatorConfig is what a coordinator is made with.
type CoordinatorConfig struct {
	Name    string
	Term    uint64  // above those of all coordinators before it
	Entries []Entry // the ledger, read after the term was taken; one for every region of the venue. They are written again first
	Timing  Timing
	Without Guards
}

// Coordinator moves regions and restarts those whose owner is gone. It lives for one term.
type Coordinator struct {
	cfg     CoordinatorConfig
	timing  Timing
	began   bool
	regions map[string]*charge
	order   []string // names of regions, ascending
	nodes   map[string]*nodeSeen
	moves   uint64
	over    bool
	last    []Progress // moves that ended, newest last, at most 64
}

type nodeSeen struct {
	at       int64
	start    uint64
	draining bool
	seats    map[string]SeatReport
}

// charge is a region under the coordinator.
type charge struct {
	entry   Entry
	mine    bool // the ledger has an entry of this term: coordinators before can write no more
	writing bool
	want    *Entry // to write next
	move    *Progress
	sent    int64
	known   uint64 // the region's epoch as far as anybody said
	held    int64  // when somebody was last heard to hold it
	holder  string
	recover string // node that was told to take it
	told    int64
	ordered int64 // when the order to take it went out last
}

// NewCoordinator returns the coordinator of a term.
func NewCoordinator(cfg CoordinatorConfig) *Coordinator {
	c := &Coordinator{cfg: cfg, timing: cfg.Timing.filled(), regions: map[string]*charge{}, nodes: map[string]*nodeSeen{}}
	for _, e := range cfg.Entries {
		c.regions[e.Region] = &charge{entry: e, known: e.Epoch}
		c.order = append(c.order, e.Region)
	}
	slices.Sort(c.order)
	return c
}

// Over reports that a coordinator of a higher term was seen: this one has nothing to say any more.
func (c *Coordinator) Over() bool { return c.over }

// Moves returns the moves that go on, by region, and those that ended, newest last.
func (c *Coordinator) Moves() (running, ended []Progress) {
	for _, name := range c.order {
		if m := c.regions[name].move; m != nil {
			running = append(running, *m)
		}
	}
	return running, slices.Clone(c.last)
}

// alive reports whether a node was heard of lately.
func (c *Coordinator) alive(now int64, node string) bool {
	n := c.nodes[node]
	return n != nil && now-n.at < c.timing.Suspect
}

// Move begins to move a region. The errors wrap those above and say what is in the way.
func (c *Coordinator) Move(now int64, region, target string) (uint64, []Out, error) {
	r := c.regions[region]
	switch {
	case r == nil:
		return 0, nil, fmt.Errorf("region %q: %w", region, ErrUnknown)
	case c.nodes[target] == nil:
		return 0, nil, fmt.Errorf("node %q: %w", target, ErrUnknown)
	case r.move != nil || r.writing || r.want != nil || !r.mine:
		return 0, nil, fmt.Errorf("region %q: %w: wait, or abort that move", region, ErrBusy)
	case r.entry.Owner == target:
		return 0, nil, fmt.Errorf("region %q, node %q: %w", region, target, ErrOwns)
	case !c.alive(now, target):
		return 0, nil, fmt.Errorf("node %q was not heard of lately: %w", target, ErrNode)
	case c.nodes[target].draining:
		return 0, nil, fmt.Errorf("node %q is draining: %w", target, ErrNode)
	case r.entry.Owner == "" || !c.alive(now, r.entry.Owner) || r.known != r.entry.Epoch:
		return 0, nil, fmt.Errorf("region %q: %w", region, ErrNoOwner)
	}
	c.moves++
	in := Intent{ID: c.cfg.Term<<32 | c.moves, Source: r.entry.Owner, Target: target, Epoch: r.entry.Epoch + 1}
	r.move = &Progress{Region: region, Move: in, Stage: StageIntent, Began: now}
	e := r.entry
	e.Move = &in
	return in.ID, append([]Out{step(StepIntent)}, c.write(r, e)...), nil
}

// Abort gives a move up, wherever it is.
func (c *Coordinator) Abort(now int64, region, reason string) ([]Out, error) {
	r := c.regions[region]
	if r == nil {
		return nil, fmt.Errorf("region %q: %w", region, ErrUnknown)
	}
	if r.move == nil {
		return nil, fmt.Errorf("region %q is not being moved: %w", region, ErrUnknown)
	}
	if s := r.move.Stage; s == StageRoute || s == StageCleanUp {
		return nil, fmt.Errorf("region %q is at node %q already: %w: move it back instead", region, r.move.Move.Target, ErrTooLate)
	}
	return c.abort(now, r, reason), nil
}

func (c *Coordinator) abort(now int64, r *charge, reason string) []Out {
	if s := r.move.Stage; s == StageAborting || s == StageRoute || s == StageCleanUp {
		return nil
	}
	r.move.Stage, r.move.Reason, r.sent = StageAborting, reason, now
	return append([]Out{step(StepAborting)}, c.resend(now, r)...)
}

func (c *Coordinator) message(k Kind, to string, r *charge) *Message {
	m := &Message{Kind: k, From: c.cfg.Name, To: to, Region: r.entry.Region, Stamp: Stamp{Term: c.cfg.Term, Epoch: r.entry.Epoch, Incarnation: r.entry.Incarnation}}
	if r.move != nil {
		m.Move, m.Source, m.Target = r.move.Move.ID, r.move.Move.Source, r.move.Move.Target
	}
	return m
}

// write writes an entry, after the one that is being written.
func (c *Coordinator) write(r *charge, e Entry) []Out {
	e.Term = c.cfg.Term
	if r.writing {
		r.want = &e
		return nil
	}
	e.Version = r.entry.Version + 1
	r.writing, r.want = true, nil
	return []Out{{Do: DoWrite, Entry: &e}}
}

// Stored answers DoWrite: now is what the ledger has, err nil when that is what was to be written.
func (c *Coordinator) Stored(now int64, e Entry, err error) []Out {
	r := c.regions[e.Region]
	if r == nil || !r.writing {
		return nil
	}
	r.writing = false
	switch {
	case errors.Is(err, ErrOutdated) && e.Term > c.cfg.Term:
		c.over = true
		return nil
	case err == nil || errors.Is(err, ErrOutdated):
		r.entry = e
		r.known = max(r.known, e.Epoch)
		r.mine = r.mine || err == nil
		if e.Move != nil && r.move == nil && e.Move.ID>>32 != c.cfg.Term && c.cfg.Without&GuardIntents == 0 {
			r.move = &Progress{Region: e.Region, Move: *e.Move, Stage: StageAborting, Reason: "the coordinator was followed by another", Began: now}
		}
	}
	var out []Out
	if err == nil && r.move != nil {
		out = c.written(now, r)
	}
	if r.want != nil {
		return append(out, c.write(r, *r.want)...)
	}
	if err != nil && r.move != nil && r.move.Stage == StageIntent {
		if r.entry.Move != nil && r.entry.Move.ID == r.move.Move.ID {
			return append(out, c.written(now, r)...) // it was stored, and the answer was lost
		}
		// Whether it was stored is found out with the next write.
		r.move.Stage, r.move.Reason = StageAborting, "the intent could not be stored: "+err.Error()
	}
	return out
}

// written goes on with a move whose stage was waiting for the ledger.
func (c *Coordinator) written(now int64, r *charge) []Out {
	switch r.move.Stage {
	case StageIntent:
		r.move.Stage, r.sent = StagePrepare, now
		return append([]Out{step(StepPrepare)}, c.resend(now, r)...)
	case StageRoute:
		if r.entry.Move != nil {
			return nil
		}
		r.move.Stage = StageCleanUp
		return append([]Out{step(StepRelease)}, c.resend(now, r)...)
	case StageAborting:
		if r.entry.Move == nil {
			c.finished(now, r, StageAborted, r.move.Reason)
			return []Out{send(c.route(r))}
		}
	}
	return nil
}

func (c *Coordinator) finished(now int64, r *charge, s Stage, reason string) {
	r.move.Stage, r.move.Reason, r.move.Ended = s, reason, now
	c.last = append(c.last, *r.move)
	if over := len(c.last) - 64; over > 0 {
		c.last = slices.Delete(c.last, 0, over)
	}
	r.move = nil
}

func (c *Coordinator) route(r *charge) *Message {
	m := c.message(KindRoute, Gateways, r)
	m.Move, m.Source, m.Target = 0, "", r.entry.Owner
	return m
}

// resend gives the orders of a move's stage, at first and again until they are followed.
func (c *Coordinator) resend(now int64, r *charge) []Out {
	r.sent = now
	mv := r.move
	var out []Out
	switch mv.Stage {
	case StagePrepare:
		return append(out, send(c.message(KindPrepare, mv.Move.Target, r)), send(c.message(KindBegin, mv.Move.Source, r)))
	case StageSwitch:
		if c.cfg.Without&GuardRoute != 0 {
			m := c.route(r)
			m.Target, m.Epoch, m.Incarnation = mv.Move.Target, mv.Move.Epoch, 0
			out = append(out, send(m))
		}
		return append(out, send(c.message(KindSwitch, mv.Move.Source, r)))
	case StageCleanUp:
		return append(out, send(c.route(r)), send(c.message(KindRelease, mv.Move.Source, r)))
	case StageAborting:
		for _, to := range []string{mv.Move.Source, mv.Move.Target} {
			m := c.message(KindAbort, to, r)
			m.Reason = mv.Reason
			out = append(out, send(m))
		}
	}
	return out
}

// Handle takes a message.
func (c *Coordinator) Handle(now int64, m *Message) []Out {
	if m.Term > c.cfg.Term && m.Kind != KindReport {
		c.over = true
	}
	if c.over {
		return nil
	}
	if m.Kind == KindReport {
		return c.report(now, m)
	}
	r := c.regions[m.Region]
	if r == nil {
		return nil
	}
	if m.Kind == KindRefused && m.Move == 0 {
		// Of an order to recover: somebody has had the region after the epoch that was known.
		if m.Epoch > r.known {
			r.known, r.held = m.Epoch, now
		}
		r.recover = ""
		return nil
	}
	mv := r.move
	if mv == nil || mv.Move.ID != m.Move {
		return nil
	}
	switch m.Kind {
	case KindLoaded:
		if mv.Stage == StagePrepare && m.From == mv.Move.Target {
			mv.Stage, mv.Entered[0] = StageSwitch, now
			return append([]Out{step(StepSwitch)}, c.resend(now, r)...)
		}
	case KindTaken:
		return c.owned(now, r, m.From, m.Stamp)
	case KindRefused, KindEnded:
		return c.abort(now, r, m.From+": "+m.Reason)
	}
	return nil
}

// owned notes that a node ticks a region.
func (c *Coordinator) owned(now int64, r *charge, node string, st Stamp) []Out {
	if st.Epoch < r.known {
		return nil
	}
	r.known, r.held, r.holder = st.Epoch, now, node
	if r.recover == node {
		r.recover = ""
	}
	if st.Epoch <= r.entry.Epoch && r.entry.Owner == node {
		return nil
	}
	e := r.entry
	e.Owner, e.Epoch, e.Incarnation = node, st.Epoch, st.Incarnation
	mv := r.move
	if mv == nil {
		if r.writing {
			return nil // the next report says it again
		}
		return append(c.write(r, e), Out{Do: DoSend, Message: c.announce(r, &e)})
	}
	if mv.Stage == StageRoute || mv.Stage == StageCleanUp {
		return nil
	}
	e.Move = nil
	if node == mv.Move.Target && st.Epoch == mv.Move.Epoch {
		mv.Stage, mv.Entered[1] = StageRoute, now
		return append([]Out{step(StepRoute)}, c.write(r, e)...)
	}
	// The source took it back, or it was recovered.
	if mv.Stage != StageAborting {
		mv.Stage, mv.Reason = StageAborting, "the region went on at "+node
	}
	return c.write(r, e)
}

func (c *Coordinator) announce(r *charge, e *Entry) *Message {
	return &Message{Kind: KindRoute, From: c.cfg.Name, To: Gateways, Region: r.entry.Region, Target: e.Owner,
		Stamp: Stamp{Term: c.cfg.Term, Epoch: e.Epoch, Incarnation: e.Incarnation}}
}

// report takes what a node says of itself.
func (c *Coordinator) report(now int64, m *Message) (out []Out) {
	n := c.nodes[m.From]
	if n == nil {
		n = &nodeSeen{}
		c.nodes[m.From] = n
	}
	n.at, n.start, n.draining, n.seats = now, m.Report.Start, m.Report.Draining, map[string]SeatReport{}
	for _, s := range m.Report.Seats {
		n.seats[s.Region] = s
		r := c.regions[s.Region]
		if r == nil {
			continue
		}
		switch {
		case s.State == Owner:
			out = append(out, c.owned(now, r, m.From, s.Stamp)...)
		case s.State.holds() && s.Epoch >= r.known:
			r.held, r.holder, r.known = now, m.From, s.Epoch
		}
		if s.Move != 0 && (r.move == nil || r.move.Move.ID != s.Move) {
			// Of an order that came after the move was over.
			a := c.message(KindAbort, m.From, r)
			a.Move, a.Reason = s.Move, "nobody carries this move out any more"
			out = append(out, send(a))
		}
	}
	for _, name := range c.order {
		out = append(out, c.settle(now, c.regions[name], m.From)...)
	}
	return out
}

// settle ends stages that a node's report shows to be over.
func (c *Coordinator) settle(now int64, r *charge, from string) []Out {
	mv := r.move
	if mv == nil {
		return nil
	}
	s, _ := c.nodes[from].seat(r.entry.Region)
	switch {
	case mv.Stage == StageCleanUp && from == mv.Move.Source && (!s.State.holds() || s.Epoch > mv.Move.Epoch):
		c.finished(now, r, StageDone, "")
	case mv.Stage == StageAborting && s.State == Owner && s.Move == 0 && s.Epoch >= r.known && !r.writing:
		e := r.entry
		e.Owner, e.Epoch, e.Incarnation, e.Move = from, s.Epoch, s.Incarnation, nil
		return c.write(r, e)
	}
	return nil
}

// seat returns what a node last said of a region; false when nothing was heard of the node.
func (n *nodeSeen) seat(region string) (SeatReport, bool) {
	if n == nil {
		return SeatReport{}, false
	}
	s, ok := n.seats[region]
	if !ok {
		s.State = Empty
	}
	return s, true
}

// Tick lets time pass.
func (c *Coordinator) Tick(now int64) (out []Out) {
	if c.over {
		return nil
	}
	if !c.began {
		c.began = true
		for _, r := range c.regions {
			r.held = now // whoever has it gets the time to say so
		}
	}
	for _, name := range c.order {
		r := c.regions[name]
		if !r.mine && !r.writing {
			out = append(out, c.write(r, r.entry)...)
		}
		if mv := r.move; mv != nil {
			switch {
			case (mv.Stage == StagePrepare || mv.Stage == StageSwitch) && now-mv.Began >= c.timing.Move:
				out = append(out, c.abort(now, r, "it took too long")...)
			case (mv.Stage == StagePrepare || mv.Stage == StageSwitch) && !(c.alive(now, mv.Move.Source) && c.alive(now, mv.Move.Target)):
				out = append(out, c.abort(now, r, "a node is not heard of any more")...)
			case mv.Stage == StageCleanUp && !c.alive(now, mv.Move.Source):
				c.finished(now, r, StageDone, "")
			case now-r.sent >= c.timing.Resend:
				out = append(out, c.resend(now, r)...)
			}
			if mv.Stage == StageRoute && !r.writing && r.want == nil {
				out = append(out, c.rewrite(r)...)
			}
		}
		out = append(out, c.rescue(now, r)...)
	}
	return out
}

// rewrite writes the route again that the ledger did not take.
func (c *Coordinator) rewrite(r *charge) []Out {
	e := r.entry
	e.Owner, e.Epoch, e.Move = r.move.Move.Target, r.move.Move.Epoch, nil
	e.Incarnation = 0
	if s, ok := c.nodes[e.Owner].seat(e.Region); ok && s.Epoch == e.Epoch {
		e.Incarnation = s.Incarnation
	}
	return c.write(r, e)
}
