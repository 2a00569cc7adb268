package recording

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/venues"
)

// writer turns what was told into frames with pseudonyms. The recorder's goroutine owns it.
type writer struct {
	digester
	spawns map[string]bool
	chunk  []byte
	frames uint32
	tick   uint64 // of the chunk's first frame
	full   bool   // the file has no room for another chunk
}

func newWriter(v *venues.Venue, h *Header) *writer {
	w := &writer{digester: *newDigester(newNames()), spawns: map[string]bool{}}
	for i := range v.Spawns {
		w.spawns[v.Spawns[i].Name] = true
	}
	for i := range h.Rules {
		if m := h.Rules[i].Manifest; m != nil {
			w.names.protect(m.Name)
			w.names.protect(m.Topics...)
			for _, k := range m.State {
				w.names.protect(k.Key)
			}
		}
	}
	for i := range h.Start.Saved.Keys {
		if k := &h.Start.Saved.Keys[i]; k.Scope != abi.ScopeRegion && k.Scope != abi.ScopeVenue {
			w.names.protect(string(k.Key))
		}
	}
	// The people first: the state of rules may name them.
	for i := range h.Start.Saved.Users {
		w.names.user(h.Start.Saved.Users[i].User)
		w.names.name(h.Start.Saved.Users[i].Name)
	}
	return w
}

// write is the recorder's goroutine.
func (r *Recorder) write(out *blocks, h *Header, w *writer) {
	defer close(r.done)
	w.hide(reflect.ValueOf(h.Start).Elem(), plain)
	err := func() error {
		text, err := json.Marshal(h)
		if err != nil {
			return err
		}
		if len(text) > MaxHeader {
			return fmt.Errorf("the region's state takes %d bytes, a recording begins with at most %d", len(text), MaxHeader)
		}
		h.Start = nil
		return out.write(blockStart, 0, r.first, text)
	}()
	for f := range r.queue {
		r.waiting.Add(-f.size)
		if r.patient {
			<-r.room
		}
		if err == nil && !w.full {
			err = r.frameOut(out, w, f)
		}
		if err != nil {
			r.Stop("it could not be written: " + err.Error()) // and go on until the queue is closed
		}
	}
	r.stop.Lock()
	r.outcome.Reason = r.reason
	r.stop.Unlock()
	if err == nil {
		err = w.flush(out, r)
	}
	if err == nil {
		var text []byte
		if text, err = json.Marshal(r.outcome); err == nil {
			err = out.write(blockEnd, 0, r.outcome.Tick, text)
		}
	}
	r.size.Store(out.written)
	r.err = err
}

// endRoom is kept free in a file for its last block.
const endRoom = 1 << 10

// frameOut adds a frame to the chunk, and writes the chunk when it is large enough.
func (r *Recorder) frameOut(out *blocks, w *writer, f *raw) error {
	frame := w.frame(f)
	before := len(w.chunk)
	var err error
	if w.chunk, err = frame.append(w.chunk); err != nil {
		return err
	}
	if len(w.chunk)-before > MaxChunk {
		return fmt.Errorf("tick %d takes %d bytes, at most %d can be written", f.tick, len(w.chunk)-before, MaxChunk)
	}
	if len(w.chunk) > MaxChunk {
		// Both are allowed, together they are not.
		last := slices.Clone(w.chunk[before:])
		w.chunk = w.chunk[:before]
		if err := w.flush(out, r); err != nil {
			return err
		}
		w.chunk = append(w.chunk, last...)
	}
	if w.frames++; w.frames == 1 {
		w.tick = f.tick
	}
	r.outcome.Frames++
	r.outcome.Tick = f.tick
	if len(w.chunk) < chunkSize && w.frames < chunkTicks {
		return nil
	}
	if err := w.flush(out, r); err != nil {
		return err
	}
	// A chunk is at most what it is before it is compressed, and mostly a tenth of that.
	if out.written+endRoom+chunkSize > r.limits.Bytes {
		w.full = true
		r.Stop(fmt.Sprintf("its file was full: %d bytes of %d", out.written, r.limits.Bytes))
	}
	return nil
}

func (w *writer) flush(out *blocks, r *Recorder) error {
	if w.frames == 0 {
		return nil
	}
	frames := w.frames
	err := out.write(blockFrames, frames, w.tick, w.chunk)
	w.chunk, w.frames = w.chunk[:0], 0
	r.size.Store(out.written)
	if err == nil {
		r.frames.Add(uint64(frames))
	}
	return err
}

// frame gives everybody their pseudonyms.
func (w *writer) frame(f *raw) *Frame {
	out := &Frame{Tick: f.tick, Inputs: f.inputs}
	for i := range f.inputs {
		x := &f.inputs[i]
		// As the region reads them.
		x.User, x.Name = strings.ToValidUTF8(x.User, "?"), strings.ToValidUTF8(x.Name, "?")
		if !w.spawns[x.Spawn] {
			x.Spawn = "" // no spawn point, so anything a client says
		}
		w.hide(reflect.ValueOf(x).Elem(), plain)
	}
	for i := range f.swaps {
		s := &f.swaps[i]
		out.Swaps = append(out.Swaps, Swap{Rule: s.rule, Module: s.module, Options: s.opt, Calls: w.calls(s.calls)})
	}
	out.Calls = w.calls(f.calls)
	out.Effects = w.effects(&f.fx)
	return out
}

func (w *writer) calls(list []rawCall) []Call {
	var out []Call
	for i := range list {
		c := &list[i]
		call := Call{Rule: c.rule, Kind: c.kind, From: c.from, Batch: w.names.maskParts(c.batch, batchParts(c.batch), packed)}
		if c.fault != nil {
			call.Fault = &Fault{Kind: c.fault.Kind, Plugin: c.fault.Plugin, Message: w.names.mask([]byte(c.fault.Message), output)}
		} else {
			call.Out = w.names.maskParts(c.out, commandParts(c.out), packed)
		}
		for j := range c.ops {
			o := &c.ops[j]
			call.Ops = append(call.Ops, Op{
				Delete: o.del, Scope: o.scope, Subject: o.subject, Key: w.names.mask([]byte(o.key), output), Value: w.names.mask(o.value, output),
			})
		}
		out = append(out, call)
	}
	return out
}
