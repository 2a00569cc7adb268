package recording

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// Bounds of what waits for the writer: more ends the recording.
const (
	queueFrames = 512
	queueBytes  = 64 << 20
)

// Limits end a recording by themselves. A zero field means its default.
type Limits struct {
	Time  time.Duration // of the region's time; default 10 minutes
	Bytes int64         // of the file; default 256 MB
}

// Default limits, and the largest that may be asked for.
const (
	DefaultTime  = 10 * time.Minute
	DefaultBytes = 256 << 20
	MaxTime      = 24 * time.Hour
)

// Check fills in defaults and says what is out of bounds.
func (l *Limits) Check() error {
	if l.Time == 0 {
		l.Time = DefaultTime
	}
	if l.Bytes == 0 {
		l.Bytes = DefaultBytes
	}
	if l.Time < time.Second || l.Time > MaxTime {
		return fmt.Errorf("a recording lasts a second to %s, not %s", MaxTime, l.Time)
	}
	if l.Bytes < 1<<20 || l.Bytes > MaxWritten {
		return fmt.Errorf("a recording has 1 MiB to %d MiB, not %d bytes", MaxWritten>>20, l.Bytes)
	}
	return nil
}

// Start is what a recording begins from.
type Start struct {
	Venue  *venues.Venue
	Region *scene.Region // between two steps
	Index  int           // of Venue.Regions
	Rules  []scene.Rule  // as the region has them
	Host   string        // version of the program
	Began  time.Time
	Limits Limits
	// Patient has End wait for the writer where it would end the recording: for regions that no clock drives.
	Patient bool
}

// Recorder follows one region. Methods but Done, Stop and Wait belong to the region's goroutine.
type Recorder struct {
	limits  Limits
	patient bool
	tickUS  int64
	first   uint64 // tick of the start state

	frame   *raw // of the running step; nil between two
	between []rawCall
	swaps   []rawSwap

	queue   chan *raw
	room    chan struct{} // patient: a token for each frame that waits
	waiting atomic.Int64  // bytes in the queue, about
	stopped bool
	stop    sync.Mutex // guards stopped and the queue's end
	reason  string     // why it ends, under stop

	done    chan struct{} // closed when the file is complete
	ended   atomic.Bool   // nothing more is taken
	size    atomic.Int64
	frames  atomic.Uint64
	outcome End
	err     error
}

// raw is a tick with real names, on its way to the writer.
type raw struct {
	tick   uint64
	swaps  []rawSwap
	inputs []stream.Input
	calls  []rawCall
	fx     scene.Effects
	size   int64
}

// rawCall is a Call with real names.
type rawCall struct {
	rule  int
	kind  CallKind
	batch []byte
	from  int
	ops   []rawOp
	out   []byte
	fault *abi.Fault
}

type rawOp struct {
	del     bool
	scope   abi.Scope
	subject uint64
	key     string
	value   []byte
}

type rawSwap struct {
	rule   int
	module Module
	opt    scene.SwapOptions
	calls  []rawCall
}

// New captures the region and begins to write to w, on a goroutine of its own. The caller closes w after Wait.
func New(w io.Writer, s Start) (*Recorder, error) {
	if err := s.Limits.Check(); err != nil {
		return nil, err
	}
	live, err := s.Region.Capture()
	if err != nil {
		return nil, err
	}
	h := &Header{
		Version: Version, Host: s.Host, Began: s.Began.Unix(), VenueID: s.Venue.ID, Region: s.Venue.Regions[s.Index].Name, Index: s.Index,
		TickHz: s.Venue.TickHz, Parts: Parts(), Start: live,
	}
	if h.Manifest, h.VenueDigest, err = keepManifest(s.Venue); err != nil {
		return nil, err
	}
	for i, rule := range s.Rules {
		kept := Rule{Name: s.Venue.Rules[i].Name, Module: moduleOf(rule)}
		if w := live.Rules[i].Watch; w != nil {
			for _, old := range s.Region.Kept() {
				if old.Digest() == w.Old.Digest {
					m := moduleOf(old)
					kept.Old = &m
				}
			}
		}
		h.Rules = append(h.Rules, kept)
	}
	out, err := newBlocks(w)
	if err != nil {
		return nil, err
	}
	r := &Recorder{
		limits: s.Limits, patient: s.Patient, tickUS: s.Venue.TickUS(), first: live.Tick, queue: make(chan *raw, queueFrames),
		room: make(chan struct{}, queueFrames), done: make(chan struct{}),
	}
	go r.write(out, h, newWriter(s.Venue, h))
	return r, nil
}

func moduleOf(rule scene.Rule) Module {
	if rule == nil {
		return Module{}
	}
	return Module{Digest: rule.Digest(), Manifest: rule.Manifest()}
}

// Begin tells what the next step is given.
func (r *Recorder) Begin(in []stream.Input) {
	if r.ended.Load() {
		return
	}
	// What was called between two steps and belongs to no swap was of one that did not take place.
	r.between = nil
	r.frame = &raw{inputs: slices.Clone(in), swaps: r.swaps}
	r.swaps = nil
	// Where people's eyes are is nobody's business later, and decides nothing.
	for i := range r.frame.inputs {
		r.frame.inputs[i].Said, r.frame.inputs[i].Extras = 0, lattice.Extras{}
	}
}

// Call has a rule answer, and tells of it.
func (r *Recorder) Call(index int, rule scene.Rule, batch []byte, kv abi.KV) ([]byte, error) {
	if r.ended.Load() {
		return rule.Call(batch, kv)
	}
	tap := &tap{KV: kv}
	c := rawCall{rule: index, batch: slices.Clone(batch)}
	out, err := rule.Call(batch, tap)
	r.add(&c, tap, out, err)
	return out, err
}

// Migrate has a rule migrate its state, and tells of it.
func (r *Recorder) Migrate(index int, rule scene.Rule, from int, kv abi.KV) error {
	if r.ended.Load() {
		return rule.Migrate(from, kv)
	}
	tap := &tap{KV: kv}
	c := rawCall{rule: index, kind: CallMigrate, from: from}
	err := rule.Migrate(from, tap)
	r.add(&c, tap, nil, err)
	return err
}

func (r *Recorder) add(c *rawCall, t *tap, out []byte, err error) {
	if err != nil {
		fault, ok := errors.AsType[*abi.Fault](err)
		if !ok {
			fault = &abi.Fault{Kind: abi.FaultTrap, Message: err.Error()}
		}
		c.fault = fault
	} else {
		c.out, c.ops = slices.Clone(out), t.ops
	}
	if r.frame == nil {
		r.between = append(r.between, *c)
		return
	}
	r.frame.calls = append(r.frame.calls, *c)
}

// Swap tells that another module took a rule's place, after SwapRule has agreed.
func (r *Recorder) Swap(index int, rule scene.Rule, opt scene.SwapOptions) {
	// A migration that failed was of a swap before this one that did not take place.
	calls := slices.DeleteFunc(r.between, func(c rawCall) bool { return c.fault != nil || c.rule != index })
	r.swaps = append(r.swaps, rawSwap{rule: index, module: moduleOf(rule), opt: opt, calls: calls})
	r.between = nil
}

// End tells what the step did.
func (r *Recorder) End(fx *scene.Effects) {
	f := r.frame
	if r.frame = nil; f == nil || r.ended.Load() {
		return
	}
	f.tick = fx.Tick
	f.fx = *fx
	// What the region uses again.
	f.fx.Entities, f.fx.Gone, f.fx.Events = slices.Clone(fx.Entities), slices.Clone(fx.Gone), slices.Clone(fx.Events)
	f.fx.Cursors, f.fx.Places, f.fx.Faults = slices.Clone(fx.Cursors), slices.Clone(fx.Places), slices.Clone(fx.Faults)
	f.fx.Out, f.fx.Heard, f.fx.Swaps = slices.Clone(fx.Out), slices.Clone(fx.Heard), slices.Clone(fx.Swaps)
	f.fx.Retired = nil
	f.size = f.estimate()
	if !r.push(f) {
		r.Stop("the disk did not keep up: too much waited to be written")
		return
	}
	if limit := r.first + uint64(r.limits.Time.Microseconds()/r.tickUS); fx.Tick >= limit {
		r.Stop(fmt.Sprintf("its time was over: %s", r.limits.Time))
	}
}

// push hands a frame to the writer; false when there is no room.
func (r *Recorder) push(f *raw) bool {
	if r.patient {
		select {
		case r.room <- struct{}{}:
		case <-r.done:
		}
	}
	r.stop.Lock()
	defer r.stop.Unlock()
	if r.stopped {
		return true
	}
	if !r.patient && r.waiting.Load()+f.size > queueBytes {
		return false
	}
	select {
	case r.queue <- f:
		r.waiting.Add(f.size)
		return true
	default:
		return false
	}
}

// estimate is about what a frame holds in memory.
func (f *raw) estimate() int64 {
	n := int64(len(f.inputs))*256 + int64(len(f.fx.Entities))*200 + int64(len(f.fx.Events))*256 + 1024
	for i := range f.inputs {
		n += int64(len(f.inputs[i].Data))
	}
	for i := range f.calls {
		c := &f.calls[i]
		n += int64(len(c.batch) + len(c.out) + 128)
		for j := range c.ops {
			n += int64(len(c.ops[j].key)+len(c.ops[j].value)) + 64
		}
	}
	return n
}

// Stop ends the recording with what was told so far. Any goroutine may call it; only the first reason counts.
func (r *Recorder) Stop(reason string) {
	r.stop.Lock()
	defer r.stop.Unlock()
	r.ended.Store(true)
	if r.stopped {
		return
	}
	r.stopped, r.reason = true, reason
	close(r.queue)
}

// Done is closed when the file is complete, whyever.
func (r *Recorder) Done() <-chan struct{} { return r.done }

// Ended reports that nothing more is taken.
func (r *Recorder) Ended() bool { return r.ended.Load() }

// Outcome returns how the recording ended; nil while Done is open.
func (r *Recorder) Outcome() *End {
	select {
	case <-r.done:
		return &r.outcome
	default:
		return nil
	}
}

// Wait returns how the recording ended, once its file is complete. The error is the disk's.
func (r *Recorder) Wait() (End, error) {
	<-r.done
	return r.outcome, r.err
}

// Written returns the bytes and frames in the file so far.
func (r *Recorder) Written() (size int64, frames uint64) { return r.size.Load(), r.frames.Load() }

// tap notes what a rule writes.
type tap struct {
	abi.KV
	ops []rawOp
}

func (t *tap) Put(scope abi.Scope, subject uint64, key string, value []byte) int {
	code := t.KV.Put(scope, subject, key, value)
	if code == 0 {
		t.ops = append(t.ops, rawOp{scope: scope, subject: subject, key: key, value: slices.Clone(value)})
	}
	return code
}

func (t *tap) Del(scope abi.Scope, subject uint64, key string) int {
	code := t.KV.Del(scope, subject, key)
	if code == 0 {
		t.ops = append(t.ops, rawOp{del: true, scope: scope, subject: subject, key: key})
	}
	return code
}
