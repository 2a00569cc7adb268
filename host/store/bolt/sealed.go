package bolt

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	bbolt "go.etcd.io/bbolt"

	"github.com/venued/venued/host/store"
)

// sealed is a bucket in which every value is prefixed by a CRC over its key and
// itself, and whose sequence number, which bbolt keeps for the caller, is the tally of its
// entries: their count and the sum of their seals. All writes go through
// it.
type sealed struct {
	b    *bbolt.Bucket
	path string // for errors
}

const sealSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// tally is what one entry adds to its bucket's sequence number.
func tally(seal uint32) uint64 { return 1<<40 + uint64(seal) }

func sealOf(key, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, payload)
}

func damaged(path, format string, a ...any) error {
	return fmt.Errorf("%s: %w: %w", path, store.ErrDamaged, fmt.Errorf(format, a...))
}

// open splits a stored value into its seal and payload.
func (s sealed) open(key, value []byte) (payload []byte, seal uint32, err error) {
	if len(value) < sealSize {
		return nil, 0, damaged(s.path, "%s is cut short", entryName(s, key))
	}
	seal, payload = binary.LittleEndian.Uint32(value), value[sealSize:]
	if sealOf(key, payload) != seal {
		return nil, seal, damaged(s.path, "%s does not have its checksum", entryName(s, key))
	}
	return payload, seal, nil
}

// entryName names an entry in an error.
func entryName(s sealed, key []byte) string {
	tick, ok := tickOf(key)
	switch {
	case ok && s.named(logName):
		return fmt.Sprintf("the record of tick %d", tick)
	case ok && s.named(snapName):
		return fmt.Sprintf("the snapshot of tick %d", tick)
	case s.named(modulesName):
		return fmt.Sprintf("the module %x", key)
	}
	return fmt.Sprintf("entry %q", key)
}

// get returns an entry's payload, valid within the transaction; nil when there is none.
func (s sealed) get(key []byte) ([]byte, error) {
	value := s.b.Get(key)
	if value == nil {
		return nil, nil
	}
	payload, _, err := s.open(key, value)
	if payload == nil && err == nil {
		payload = []byte{}
	}
	return payload, err
}

func (s sealed) put(key, payload []byte) error {
	sum := s.b.Sequence()
	if old := s.b.Get(key); len(old) >= sealSize {
		sum -= tally(binary.LittleEndian.Uint32(old))
	}
	seal := sealOf(key, payload)
	value := make([]byte, 0, sealSize+len(payload))
	value = append(binary.LittleEndian.AppendUint32(value, seal), payload...)
	if err := s.b.Put(key, value); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return s.b.SetSequence(sum + tally(seal))
}

// drop removes an entry; a missing one is no error.
func (s sealed) drop(key []byte) error {
	old := s.b.Get(key)
	if old == nil {
		return nil
	}
	sum := s.b.Sequence()
	if len(old) >= sealSize {
		sum -= tally(binary.LittleEndian.Uint32(old))
	}
	if err := s.b.Delete(key); err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return s.b.SetSequence(sum)
}

// child returns a bucket within this one; ok is false when there is none.
func (s sealed) child(name string) (c sealed, ok bool) {
	b := s.b.Bucket([]byte(name))
	return sealed{b, s.path + "/" + name}, b != nil
}

// makeChild returns a bucket within this one, new if need be. Its name is part of the tally.
func (s sealed) makeChild(name string) (sealed, error) {
	if c, ok := s.child(name); ok {
		return c, nil
	}
	b, err := s.b.CreateBucket([]byte(name))
	if err != nil {
		return sealed{}, fmt.Errorf("%s/%s: %w", s.path, name, err)
	}
	if err := s.b.SetSequence(s.b.Sequence() + tally(sealOf([]byte(name), nil))); err != nil {
		return sealed{}, err
	}
	return sealed{b, s.path + "/" + name}, nil
}

// verify reads everything in the bucket and below. In buckets named as tolerated a
// payload may be damaged, but no entry may be missing.
func (s sealed) verify(tolerated ...string) error {
	var sum uint64
	err := s.b.ForEach(func(key, value []byte) error {
		if value == nil {
			sum += tally(sealOf(key, nil))
			c, ok := s.child(string(key))
			if !ok {
				return damaged(s.path, "bucket %q cannot be opened", key)
			}
			return c.verify(tolerated...)
		}
		_, seal, err := s.open(key, value)
		if err != nil && !(len(value) >= sealSize && slices.ContainsFunc(tolerated, s.named)) {
			return err
		}
		sum += tally(seal)
		return nil
	})
	if err != nil {
		return err
	}
	if sum != s.b.Sequence() {
		return damaged(s.path, "entries are missing, or there are some that were never written")
	}
	return nil
}

func (s sealed) named(name string) bool {
	n := len(s.path) - len(name)
	return n > 0 && s.path[n:] == name && s.path[n-1] == '/'
}
