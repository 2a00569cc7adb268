package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/venued/venued/host/store"
)

const boardsName = "boards"

// boardKey is the partition's length in two bytes, the partition, the board, a zero, and the user.
func boardKey(partition, board, user string) []byte {
	return append(append(boardPrefix(partition), board...), append([]byte{0}, user...)...)
}

func boardPrefix(partition string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(partition))), partition...)
}

// addScores adds a record's scores, which have been checked.
func (s *Store) addScores(top sealed, venue string, scores []store.Score) error {
	if len(scores) == 0 {
		return nil
	}
	v, _, err := s.makeVenue(top, venue)
	if err != nil {
		return err
	}
	b, err := v.makeChild(boardsName)
	if err != nil {
		return err
	}
	for i := range scores {
		x := &scores[i]
		fits, err := roomForBoard(b, x.Partition, x.Board)
		if err != nil {
			return err
		}
		if !fits {
			s.opts.Log.Warn("score dropped: the venue has as many boards as it may have", "venue", venue, "board", x.Board, "user", x.User, "limit", store.MaxBoards)
			continue
		}
		key := boardKey(x.Partition, x.Board, x.User)
		points, err := total(b, key)
		if err != nil {
			return err
		}
		if err := b.put(key, binary.LittleEndian.AppendUint64(nil, uint64(store.Add(points, x.Delta)))); err != nil {
			return err
		}
	}
	return nil
}

// total returns what stands under a key, 0 for nothing.
func total(b sealed, key []byte) (int64, error) {
	payload, err := b.get(key)
	if err != nil || payload == nil {
		return 0, err
	}
	if len(payload) != 8 {
		return 0, damaged(b.path, "the total %q has %d bytes", key, len(payload))
	}
	return int64(binary.LittleEndian.Uint64(payload)), nil
}

// roomForBoard reports whether a board is there or may be made.
func roomForBoard(b sealed, partition, board string) (bool, error) {
	key := boardKey(partition, board, "")
	if k, _ := b.b.Cursor().Seek(key); bytes.HasPrefix(k, key) {
		return true, nil
	}
	n := 0
	err := eachBoard(b, partition, func(string) error { n++; return nil })
	return n < store.MaxBoards, err
}

// eachBoard calls f with every board of a partition, ascending: it leaps over the totals.
func eachBoard(b sealed, partition string, f func(board string) error) error {
	prefix := boardPrefix(partition)
	c := b.b.Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); {
		board, _, ok := bytes.Cut(k[len(prefix):], []byte{0})
		if !ok {
			return damaged(b.path, "the total %q has no user", k)
		}
		next := append(append(clone(prefix), board...), 1)
		if err := f(string(board)); err != nil {
			return err
		}
		k, _ = c.Seek(next)
	}
	return nil
}

// totals returns a board's, in no order that means anything.
func totals(b sealed, partition, board string) ([]store.Total, error) {
	prefix := boardKey(partition, board, "")
	var out []store.Total
	c := b.b.Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		points, err := total(b, k)
		if err != nil {
			return nil, err
		}
		out = append(out, store.Total{User: string(k[len(prefix):]), Points: points})
	}
	return out, nil
}

// withBoards reads a venue's boards, if it has any.
func (s *Store) withBoards(ctx context.Context, venue string, f func(b sealed) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.read(func(top sealed) error {
		v, ok := top.child(venuePrefix + venue)
		if !ok {
			return nil
		}
		b, ok := v.child(boardsName)
		if !ok {
			return nil
		}
		return f(b)
	})
}

// Boards implements store.Store.
func (s *Store) Boards(ctx context.Context, venue, partition string) (out []store.BoardSummary, err error) {
	if err := store.CheckBoard(venue, partition, "any", 0); err != nil {
		return nil, err
	}
	err = s.withBoards(ctx, venue, func(b sealed) error {
		return eachBoard(b, partition, func(board string) error {
			list, err := totals(b, partition, board)
			out = append(out, store.BoardSummary{Board: board, Users: len(list)})
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Board implements store.Store.
func (s *Store) Board(ctx context.Context, venue, partition, board string, n int) (top []store.Total, users int, err error) {
	if err := store.CheckBoard(venue, partition, board, n); err != nil {
		return nil, 0, err
	}
	err = s.withBoards(ctx, venue, func(b sealed) error {
		top, err = totals(b, partition, board)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	store.SortTotals(top)
	return slices.Clip(top[:min(n, len(top))]), len(top), nil
}
