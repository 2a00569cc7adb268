package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Boards keeps what people scored, summed up by board and person. Scores come with the log records of the
// ticks they were given in (Record.Scores), and count when those are written: once.
type Boards interface {
	// Boards returns the boards of a partition, ascending by name.
	Boards(ctx context.Context, venue, partition string) ([]BoardSummary, error)
	// Board returns the n highest totals of a board, highest first, equal ones ascending by user, and how many people have one.
	// A board that nobody scored on is empty.
	Board(ctx context.Context, venue, partition, board string, n int) (top []Total, users int, err error)
}

// Score adds to a person's total on a board.
type Score struct {
	Board     string // as CheckRuleName wants it
	User      string
	Partition string
	Delta     int64
}

// BoardSummary is a board at a glance.
type BoardSummary struct {
	Board string
	Users int // who have a total on it
}

// Total is what somebody scored on a board.
type Total struct {
	User   string
	Points int64 // held at the ends of int64
}

// Limits of boards.
const (
	MaxScores = 4096 // of one record
	MaxBoards = 256  // of a venue and partition; scores on more are dropped, and logged
	MaxTop    = 1000 // totals that Board returns
)

// Add returns a + b, held at the ends of int64.
func Add(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// SortTotals puts totals in the order that Board returns them in.
func SortTotals(list []Total) {
	slices.SortFunc(list, func(a, b Total) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.User, b.User))
	})
}

func checkScores(k RegionKey, r *Record) error {
	if len(r.Scores) > MaxScores {
		return fmt.Errorf("region %s: log record of tick %d has %d scores, at most %d are allowed: %w", k, r.Tick, len(r.Scores), MaxScores, ErrLimit)
	}
	for i := range r.Scores {
		s := &r.Scores[i]
		err := CheckRuleName("board", s.Board)
		if err == nil {
			err = CheckPlaces([]UserPlace{{User: s.User, Partition: s.Partition}})
		}
		if err != nil {
			return fmt.Errorf("region %s: log record of tick %d, score %d: %w", k, r.Tick, i, err)
		}
	}
	return nil
}

// CheckBoard returns ErrLimit for a call of Board that no backend takes.
func CheckBoard(venue, partition, board string, n int) error {
	if err := CheckName("venue", venue); err != nil {
		return err
	}
	if err := CheckRuleName("board", board); err != nil {
		return err
	}
	if len(partition) > MaxName || n < 0 || n > MaxTop {
		return fmt.Errorf("store: partition of %d bytes, %d totals: at most %d and %d are allowed: %w", len(partition), n, MaxName, MaxTop, ErrLimit)
	}
	return nil
}
