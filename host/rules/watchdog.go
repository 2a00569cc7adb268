package rules

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// The watchdog counts its own beats, not time: a process that was stopped and goes on has not hung meanwhile.
const (
	defaultBeat     = 250 * time.Millisecond
	interpretedBeat = 20 * defaultBeat // the same fuel takes that much longer
	lateBeats       = 4 + 1            // more than a second: the first may be seen just before the next beat
	stuckBeats      = 40 + 1           // more than ten
)

// watched is what the watchdog sees of an instance.
type watched struct {
	calls   uint64        // made so far
	running atomic.Uint64 // number of the running call, 0 for none
	late    atomic.Uint64 // number of the newest call that took too long

	// The watchdog's own.
	seen  uint64
	beats int // at which seen was running
}

func (w *watched) begin() {
	w.calls++
	w.running.Store(w.calls)
}

// end reports whether the call that ends took too long.
func (w *watched) end() bool {
	w.running.Store(0)
	return w.late.Load() == w.calls
}

// watchdog observes the calls of an engine. Fuel stops guests; this is for what fuel cannot know of: a host function or
// a machine that hangs. A running call cannot be interrupted, so one that does not return ends the process.
type watchdog struct {
	late  func(rule string)
	stuck func()

	mu        sync.Mutex
	instances map[*Instance]struct{}

	quit, done chan struct{}
}

// watch starts a watchdog.
func watch(beat time.Duration, late func(rule string), stuck func()) *watchdog {
	if late == nil {
		late = func(string) {}
	}
	if stuck == nil {
		stuck = func() { os.Exit(1) }
	}
	w := &watchdog{late: late, stuck: stuck, instances: map[*Instance]struct{}{}, quit: make(chan struct{}), done: make(chan struct{})}
	go w.run(beat)
	return w
}

func (w *watchdog) run(beat time.Duration) {
	defer close(w.done)
	t := time.NewTicker(beat)
	defer t.Stop()
	for {
		select {
		case <-w.quit:
			return
		case <-t.C:
			w.look()
		}
	}
}

func (w *watchdog) stop() {
	close(w.quit)
	<-w.done
}

func (w *watchdog) add(in *Instance) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.instances[in] = struct{}{}
}

func (w *watchdog) remove(in *Instance) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.instances, in)
}

// look is one beat.
func (w *watchdog) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for in := range w.instances {
		o := &in.watched
		now := o.running.Load()
		if now == 0 || now != o.seen {
			o.seen, o.beats = now, 0
		}
		if now == 0 {
			continue
		}
		switch o.beats++; o.beats {
		case lateBeats:
			o.late.Store(now)
			w.late(in.plugin.name)
			in.log.Warn("a call of a rule takes longer than a second; it fails when it returns")
		case stuckBeats:
			in.log.Error("a call of a rule does not return and cannot be interrupted: the process ends")
			w.stuck()
		}
	}
}
