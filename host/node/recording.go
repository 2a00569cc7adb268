package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
)

// tape is a driver's recording, of its run goroutine; the newest one, running or not, is also under driver.mu for status.
type tape struct {
	*recording.Recorder
	name     string
	finished chan struct{} // closed when the file is complete and in its place
}

// tapped is a rule whose calls the driver's recording is told of.
type tapped struct {
	scene.Rule
	d     *driver
	index int // of the venue's rules
}

// tap makes a rule's calls heard by recordings.
func (d *driver) tap(index int, r scene.Rule) scene.Rule { return tapped{r, d, index} }

func (t tapped) Call(batch []byte, kv abi.KV) ([]byte, error) {
	if t.d.tape != nil {
		return t.d.tape.Call(t.index, t.Rule, batch, kv)
	}
	return t.Rule.Call(batch, kv)
}

func (t tapped) Migrate(from int, kv abi.KV) error {
	if t.d.tape != nil {
		return t.d.tape.Migrate(t.index, t.Rule, from, kv)
	}
	return t.Rule.Migrate(from, kv)
}

func (t tapped) Close() { closeRule(t.Rule) }

// recordBegin, recordSwap and recordEnd tell the recording, if there is one, what happens.

func (d *driver) recordBegin(in []stream.Input) {
	if d.tape != nil {
		d.tape.Begin(in)
	}
}

func (d *driver) recordSwap(index int, r scene.Rule, opt scene.SwapOptions) {
	if d.tape != nil {
		d.tape.Swap(index, r, opt)
	}
}

func (d *driver) recordEnd(e *scene.Effects) {
	if d.tape == nil {
		return
	}
	if d.tape.End(e); d.tape.Ended() {
		d.tape = nil
	}
}

// recordStop ends the recording with the region's life.
func (d *driver) recordStop(reason string) {
	if d.tape != nil {
		d.tape.Stop(reason)
		d.tape = nil
	}
}

// recording handles bus.Recording.
func (d *driver) recording(ctx context.Context, m bus.Msg) ([]byte, error) {
	var q bus.RecordingRequest
	if err := json.Unmarshal(m.Data, &q); err != nil {
		return nil, fmt.Errorf("recording request: %w", err)
	}
	if d.node.cfg.Recordings == nil {
		return nil, errors.New("this node keeps no recordings: give it a folder for them")
	}
	var reply *bus.RecordingReply
	var err error
	switch q.Op {
	case bus.RecordingStart:
		reply, err = d.startRecording(ctx, &q)
	case bus.RecordingStop:
		reply, err = d.stopRecording(ctx, q.Reason)
	case bus.RecordingStatus:
		reply = d.newestTape().status()
	default:
		err = fmt.Errorf("recording request: unknown operation %q", q.Op)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(reply)
}

func (d *driver) newestTape() *tape {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.newest
}

// status is how a recording is; nil for none.
func (t *tape) status() *bus.RecordingReply {
	if t == nil {
		return &bus.RecordingReply{}
	}
	r := &bus.RecordingReply{Name: t.name, Running: true}
	r.Bytes, r.Ticks = t.Written()
	select {
	case <-t.finished:
		r.Running, r.Ended = false, t.Outcome().Reason
	default:
	}
	return r
}

// startRecording begins a recording between two ticks.
func (d *driver) startRecording(ctx context.Context, q *bus.RecordingRequest) (*bus.RecordingReply, error) {
	limits := recording.Limits{Time: time.Duration(q.Seconds) * time.Second, Bytes: q.Bytes}
	if err := limits.Check(); err != nil {
		return nil, err
	}
	if t := d.newestTape(); t != nil && t.status().Running {
		return nil, fmt.Errorf("region %s is being recorded already, as %s: stop that first", d.key.Region, t.name)
	}
	cfg := &d.node.cfg
	out, err := cfg.Recordings.Create(d.key.Region, cfg.Now(), limits.Bytes)
	if err != nil {
		return nil, err
	}
	_, err = d.give(ctx, func(_ *order, l *life) (*bus.AdminReply, error) {
		if d.tape != nil {
			return nil, notTakenf("region %s is being recorded already, as %s: stop that first", d.key.Region, d.tape.name)
		}
		rec, err := recording.New(out, recording.Start{
			Venue: cfg.Venue, Region: l.region, Index: d.index, Rules: l.rules, Host: cfg.Version, Began: cfg.Now(), Limits: limits,
		})
		if err != nil {
			return nil, notTaken(err.Error())
		}
		d.tape = &tape{Recorder: rec, name: out.Name(), finished: make(chan struct{})}
		d.mu.Lock()
		d.newest = d.tape
		d.mu.Unlock()
		d.node.taping.Add(1)
		go d.finishTape(d.tape, out)
		return &bus.AdminReply{Tick: l.tick}, nil
	})
	if err != nil {
		if _, ok := errors.AsType[notTaken](err); ok {
			err = errors.Join(err, out.Drop())
		}
		return nil, err
	}
	d.log.Info("recording starts", "name", out.Name(), "limit", limits.Time, "limit_bytes", limits.Bytes)
	return d.newestTape().status(), nil
}

// finishTape completes a recording's file once it has ended, whyever.
func (d *driver) finishTape(t *tape, out *recording.Output) {
	defer d.node.taping.Done()
	defer close(t.finished)
	end, err := t.Wait()
	err = errors.Join(err, out.Finish())
	size, ticks := t.Written()
	log := d.log.Info
	if err != nil {
		log = d.log.Error
	}
	log("recording ends", "name", t.name, "reason", end.Reason, "bytes", size, "ticks", ticks, "error", err)
}

// stopRecording ends the running recording and waits for its file.
func (d *driver) stopRecording(ctx context.Context, reason string) (*bus.RecordingReply, error) {
	t := d.newestTape()
	if t == nil || !t.status().Running {
		if t != nil {
			return nil, fmt.Errorf("region %s is not being recorded; the newest recording, %s, has ended: %s", d.key.Region, t.name, t.status().Ended)
		}
		return nil, fmt.Errorf("region %s is not being recorded", d.key.Region)
	}
	if reason == "" {
		reason = "an operator stopped it"
	}
	t.Stop(reason)
	ctx, cancel := context.WithTimeout(ctx, adminWait)
	defer cancel()
	select {
	case <-t.finished:
		return t.status(), nil
	case <-ctx.Done():
		return nil, fmt.Errorf("region %s: recording %s is still being written: see whether it is in the list", d.key.Region, t.name)
	}
}
