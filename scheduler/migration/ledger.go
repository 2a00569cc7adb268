package migration

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Entry is what the ledger has of a region: who owns it as far as coordinators know, and the move that is intended. It is written
// whole, if the version before it is still there and its term is not below: that is one atomic step of the backend.
// Authority does not come from here but from the store's leases; the ledger is where a coordinator finds out what the one before it was at.
type Entry struct {
	Region      string  `json:"region"`
	Version     uint64  `json:"version"` // 1, 2, 3 ...
	Term        uint64  `json:"term"`    // of the coordinator that wrote it
	Owner       string  `json:"owner"`   // node; "": nobody yet
	Epoch       uint64  `json:"epoch"`   // of Owner
	Incarnation uint64  `json:"incarnation,omitempty"`
	Move        *Intent `json:"move,omitempty"`
}

// Intent is a move that was begun.
type Intent struct {
	ID     uint64 `json:"id"` // term<<32 | n: never used twice
	Source string `json:"source"`
	Target string `json:"target"`
	Epoch  uint64 `json:"epoch"` // reserved: the only one that the move can end under
}

// Follows returns nil if e may be written over old (nil for none), or ErrOutdated.
func (e *Entry) Follows(old *Entry) error {
	switch {
	case old == nil && e.Version != 1:
		return fmt.Errorf("ledger entry of region %s has version %d, there is none yet: %w", e.Region, e.Version, ErrOutdated)
	case old != nil && (e.Version != old.Version+1 || e.Term < old.Term):
		return fmt.Errorf("ledger entry of region %s, version %d of term %d, does not follow version %d of term %d: %w",
			e.Region, e.Version, e.Term, old.Version, old.Term, ErrOutdated)
	}
	return nil
}

// ErrOutdated: another coordinator wrote the entry meanwhile.
var ErrOutdated = errors.New("another coordinator was faster")

// Encode returns the entry as JSON.
func (e *Entry) Encode() ([]byte, error) { return json.Marshal(e) }

// DecodeEntry reads what Encode gave. Errors wrap ErrMalformed.
func DecodeEntry(b []byte) (*Entry, error) {
	if len(b) > 4*maxName+1024 {
		return nil, fmt.Errorf("ledger entry of %d bytes: %w", len(b), ErrMalformed)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	e := new(Entry)
	if err := d.Decode(e); err != nil {
		return nil, fmt.Errorf("ledger entry: %w: %w", ErrMalformed, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("ledger entry: something follows it: %w", ErrMalformed)
	}
	m := e.Move
	switch {
	case e.Region == "" || len(e.Region) > maxName || len(e.Owner) > maxName || e.Version == 0:
		return nil, fmt.Errorf("ledger entry: region %.32q, owner %.32q, version %d: %w", e.Region, e.Owner, e.Version, ErrMalformed)
	case m != nil && (m.ID == 0 || m.Source == "" || m.Target == "" || m.Source == m.Target || len(m.Source)+len(m.Target) > 2*maxName):
		return nil, fmt.Errorf("ledger entry of region %s: move %d from %.32q to %.32q: %w", e.Region, m.ID, m.Source, m.Target, ErrMalformed)
	}
	return e, nil
}
