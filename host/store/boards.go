package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Boards keeps what people scored, summed up by board and person. Scores come with the log records of the
// ticks they were given in (Record.Scores), or with the snapshot that stands for records that were never written
// (Snapshot.Scores), and count when those are written: once.
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
	MaxScores = 4096 // of one record or snapshot
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

// checkScores returns ErrLimit for scores that no backend takes; whose says what they come with.
func checkScores(scores []Score, whose func() string) error {
	if len(scores) > MaxScores {
		return fmt.Errorf("%s has %d scores, at most %d are allowed: %w", whose(), len(scores), MaxScores, ErrLimit)
	}
	for i := range scores {
		s := &scores[i]
		err := CheckRuleName("board", s.Board)
		if err == nil {
			err = CheckPlaces([]UserPlace{{User: s.User, Partition: s.Partition}})
		}
		if err != nil {
			return fmt.Errorf("%s, score %d: %w", whose(), i, err)
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
