package bolt

import (
	"bytes"
	"context"

	"github.com/venued/venued/host/store"
)

// Clear implements store.Store.
func (s *Store) Clear(ctx context.Context, venue, partition string) (out store.Cleared, err error) {
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if err := store.CheckClear(venue, partition); err != nil {
		return out, err
	}
	err = s.write(func(top sealed) error {
		out = store.Cleared{}
		v, ok := top.child(venuePrefix + venue)
		if !ok {
			return nil
		}
		if b, ok := v.child(placesName); ok {
			if out.Places, err = dropAll(b, placeKey(partition, "")); err != nil {
				return err
			}
		}
		b, ok := v.child(boardsName)
		if !ok {
			return nil
		}
		if err := eachBoard(b, partition, func(string) error { out.Boards++; return nil }); err != nil {
			return err
		}
		out.Totals, err = dropAll(b, boardPrefix(partition))
		return err
	})
	if err != nil {
		return store.Cleared{}, err
	}
	return out, nil
}

// dropAll removes every entry whose key begins with a prefix.
func dropAll(b sealed, prefix []byte) (n int, err error) {
	var keys [][]byte // a cursor does not survive what is removed under it
	c := b.b.Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		keys = append(keys, clone(k))
	}
	for _, k := range keys {
		if err := b.drop(k); err != nil {
			return 0, err
		}
	}
	return len(keys), nil
}
