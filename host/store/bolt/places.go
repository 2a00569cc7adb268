package bolt

import (
	"context"
	"encoding/binary"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/lattice"
)

// A place's payload: tick u64, x, y, z i32, rotation u8 and three i16.
const placeSize = 8 + 12 + 1 + 6

// placeKey is the partition's length in two bytes, the partition, the user.
func placeKey(partition, user string) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(partition)))
	return append(append(b, partition...), user...)
}

func encodePlace(p *store.UserPlace) []byte {
	b := make([]byte, 0, placeSize)
	b = binary.LittleEndian.AppendUint64(b, p.Tick)
	for _, v := range []int32{p.At.Pos.X, p.At.Pos.Y, p.At.Pos.Z} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	b = append(b, p.At.Rot.Largest)
	for _, c := range p.At.Rot.C {
		b = binary.LittleEndian.AppendUint16(b, uint16(c))
	}
	return b
}

func decodePlace(b []byte, p *store.UserPlace) bool {
	if len(b) != placeSize {
		return false
	}
	p.Tick = binary.LittleEndian.Uint64(b)
	n := func(at int) int32 { return int32(binary.LittleEndian.Uint32(b[at:])) }
	p.At = lattice.Joint{Pos: lattice.Vec{X: n(8), Y: n(12), Z: n(16)}, Rot: lattice.Rot{Largest: b[20]}}
	for i := range p.At.Rot.C {
		p.At.Rot.C[i] = int16(binary.LittleEndian.Uint16(b[21+2*i:]))
	}
	return true
}

// SavePlaces implements store.Store.
func (s *Store) SavePlaces(ctx context.Context, venue string, places []store.UserPlace) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckPlaces(places); err != nil || len(places) == 0 {
		return err
	}
	return s.write(func(top sealed) error {
		v, _, err := s.makeVenue(top, venue)
		if err != nil {
			return err
		}
		b, err := v.makeChild(placesName)
		if err != nil {
			return err
		}
		for i := range places {
			k := placeKey(places[i].Partition, places[i].User)
			old, err := b.get(k)
			if err != nil {
				return err
			}
			if len(old) >= 8 && binary.LittleEndian.Uint64(old) > places[i].Tick {
				continue
			}
			if err := b.put(k, encodePlace(&places[i])); err != nil {
				return err
			}
		}
		return nil
	})
}

// Place implements store.Store.
func (s *Store) Place(ctx context.Context, venue, partition, user string) (place store.UserPlace, has bool, err error) {
	if err := ctx.Err(); err != nil {
		return place, false, err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return place, false, err
	}
	place = store.UserPlace{User: user, Partition: partition}
	if err := store.CheckPlaces([]store.UserPlace{place}); err != nil {
		return store.UserPlace{}, false, err
	}
	err = s.read(func(top sealed) error {
		v, ok := top.child(venuePrefix + venue)
		if !ok {
			return nil
		}
		b, ok := v.child(placesName)
		if !ok {
			return nil
		}
		payload, err := b.get(placeKey(partition, user))
		if err != nil || payload == nil {
			return err
		}
		if !decodePlace(payload, &place) {
			return damaged(b.path, "the place of user %q is malformed", user)
		}
		has = true
		return nil
	})
	if err != nil || !has {
		return store.UserPlace{}, false, err
	}
	return place, true, nil
}
