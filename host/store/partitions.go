package store

import (
	"context"
	"fmt"
)

// Partitions keep what is written for people and for load generators apart.
type Partitions interface {
	// Clear removes every place and every score board of a partition of a venue, in one atomic step, and nothing else. PartitionMain is
	// refused with ErrLimit: what people did is not removed by this. A partition that nobody wrote to is cleared already.
	Clear(ctx context.Context, venue, partition string) (Cleared, error)
}

// Cleared is what Clear removed.
type Cleared struct {
	Places int // last places of persons
	Boards int
	Totals int // of persons on these boards
}

// CheckClear returns ErrLimit for a call of Clear that no backend takes.
func CheckClear(venue, partition string) error {
	if err := CheckName("venue", venue); err != nil {
		return err
	}
	if partition == PartitionMain {
		return fmt.Errorf("store: the partition of people is not cleared, name another: %w", ErrLimit)
	}
	return CheckName("partition", partition)
}
