package migration

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/venues"
)

// cut is a captured region on its way.
type cut struct {
	Live *scene.Live `json:"live"`
	Tail []Record    `json:"tail"` // records of the region that the store may not have yet
}

// EncodeCut returns a captured region as state messages carry it. tail has the log records up to it that the store may not
// have yet, in order.
func EncodeCut(l *scene.Live, tail []Record) ([]byte, error) { return json.Marshal(cut{l, tail}) }

// EncodeRest returns what log records do not have of a captured region, for Final.Rest.
func EncodeRest(l *scene.Live) ([]byte, error) {
	rest := *l
	rest.Saved = saved.File{}
	return json.Marshal(&rest)
}

// replica is a region that does not tick: a capture and the log records after it.
type replica struct {
	venue  *venues.Venue
	region string
	live   *scene.Live // as captured
	state  *saved.State
	tail   []Record
	n      uint64 // records taken
}

func newReplica(venue *venues.Venue, region string, b []byte) (*replica, error) {
	var c cut
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the state of region %s cannot be read (is the source of the same release?): %w", region, err)
	}
	if c.Live == nil {
		return nil, fmt.Errorf("the state of region %s is empty", region)
	}
	file, err := json.Marshal(&c.Live.Saved)
	if err != nil {
		return nil, err
	}
	r := &replica{venue: venue, region: region, live: c.Live, tail: c.Tail}
	if r.state, err = saved.Decode(file, venue.ID, region); err != nil {
		return nil, err
	}
	return r, nil
}

// take folds the next record in.
func (r *replica) take(rec Record) error {
	var s saved.Record
	d := json.NewDecoder(bytes.NewReader(rec.Data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return fmt.Errorf("log record of tick %d of region %s cannot be read: %w", rec.Tick, r.region, err)
	}
	if s.Tick != rec.Tick || s.Tick <= r.state.Tick {
		return fmt.Errorf("log record of tick %d of region %s says tick %d, behind one of tick %d", rec.Tick, r.region, s.Tick, r.state.Tick)
	}
	r.state.Apply(&s, r.venue.TickHz)
	r.tail = append(r.tail, rec)
	r.n++
	return nil
}

var errHash = errors.New("the state that was sent is not the state at the source")

// finish returns the region as the source stopped it, and the records that the store does not have.
func (r *replica) finish(f *Final, without Guards) (*scene.Live, []Record, error) {
	b, err := r.state.Encode(r.venue.ID, r.region)
	if err != nil {
		return nil, nil, err
	}
	if sum := sha256.Sum256(b); without&GuardHash == 0 && !bytes.Equal(sum[:], f.Hash) {
		return nil, nil, fmt.Errorf("region %s after tick %d has hash %x here and %x there: %w", r.region, f.Tick, sum[:6], f.Hash[:6], errHash)
	}
	var l scene.Live
	d := json.NewDecoder(bytes.NewReader(f.Rest))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return nil, nil, fmt.Errorf("what FINAL has of region %s cannot be read: %w", r.region, err)
	}
	if l.Tick != f.Tick {
		return nil, nil, fmt.Errorf("FINAL of region %s is of tick %d and has the state after tick %d", r.region, f.Tick, l.Tick)
	}
	if err := json.Unmarshal(b, &l.Saved); err != nil {
		return nil, nil, err
	}
	if without&GuardRest != 0 {
		old := map[uint64]scene.LiveUser{}
		for _, u := range r.live.Users {
			old[u.Session] = u
		}
		for i, u := range l.Users {
			if o, ok := old[u.Session]; ok {
				l.Users[i] = o
			}
		}
	}
	var tail []Record
	for _, rec := range r.tail {
		if rec.Tick > f.Durable && without&GuardTail == 0 {
			tail = append(tail, rec)
		}
	}
	return &l, tail, nil
}
