// Package store says what outlives a venue's process, and how it is kept: the contract
// that every backend passes (see storetest for the suite, bolt for the embedded
// backend).
//
// # Model
//
// A region's state is its newest snapshot and the log records after it, exactly.
// Beside regions there are a venue's start of time, its id blocks, where people
// were last, what they scored (Boards), and the rule modules that were uploaded (Modules).
//
//	Acquire  -> Lease{Epoch}      each call ends the leases before it
//	AcquireAfter                  the same, if nobody else was faster
//	Append   -> log records       under a lease
//	SaveSnapshot                  under a lease; trims the log
//	Load     -> snapshot + log    what a new owner starts from
//
// # Fencing
//
// At most one writer per region: a write under a lease that is not the region's newest
// is refused with ErrFenced in the same atomic step that would have written. A
// process that was paused for minutes can therefore do no harm.
//
// # Durability
//
// When Append, SaveSnapshot or SavePlaces return nil, the data survives the death of the process
// at any moment, and a loss of power as far as the backend's documentation says. A
// call that failed has written all of its data or nothing; where its outcome
// is unknown, the same call may be made again.
//
// # Integrity
//
// What Load, Place, Venue and Acquire return is what was written, or they return
// an error: every backend keeps checksums over its own data. A damaged newest
// snapshot is no error while the one before it and the log since then are whole, and a damaged module is
// one of that module alone.
//
// # Duties of the caller
//
// Calls may block for as long as a disk takes, so a tick never makes one.
// Calls may come from any goroutine; those of one lease come one after another.
package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/venued/venued/lattice"
)

// Store is a backend.
type Store interface {
	Modules
	Boards
	Partitions
	// Venue returns what is kept about a venue and makes it on first use.
	Venue(ctx context.Context, id string) (VenueMeta, error)
	// Acquire makes the caller the owner of a region, under an epoch above all before it
	// and with an id block that nobody had before. It ends earlier leases.
	Acquire(ctx context.Context, key RegionKey) (Lease, error)
	// AcquireAfter is Acquire for who knows whom they follow: it succeeds only while the region's epoch is the one given (0:
	// nobody ever had the region), in one atomic step. Of several that follow one owner, one succeeds. The others get
	// ErrFenced, nothing changes, and the Lease they get has the region's Key and Epoch and no right to write.
	AcquireAfter(ctx context.Context, key RegionKey, epoch uint64) (Lease, error)
	// Append adds records to the region's log, all or none. Ticks ascend and are above every tick the
	// region's log and snapshots hold (ErrTickOrder), but a record that is there
	// already, byte for byte, is accepted. Scores are added to their boards in the same step, those of a record
	// that was there already are not.
	Append(ctx context.Context, l Lease, records []Record) error
	// SaveSnapshot keeps s and the snapshot before it, and drops what is older: older
	// snapshots and the log up to the snapshot before. s.Tick must be at or above every
	// tick stored (ErrTickOrder), its SHA256 that of its data. The same snapshot again is accepted. Its scores are added in the same
	// step, those of one that was there already are not.
	SaveSnapshot(ctx context.Context, l Lease, s Snapshot) error
	// Load returns the newest whole snapshot of a region (nil when there is none yet) and
	// the log records above its tick, ascending. Damage that loses anything is ErrDamaged.
	Load(ctx context.Context, key RegionKey) (*Snapshot, []Record, error)
	// SavePlaces keeps the places, all or none. A place with a lower tick than the stored
	// one of the same person changes nothing.
	SavePlaces(ctx context.Context, venue string, places []UserPlace) error
	// Place returns a person's last place; false when there is none.
	Place(ctx context.Context, venue, partition, user string) (UserPlace, bool, error)
	// Check returns nil while the store can take writes.
	Check(ctx context.Context) error
	// Close ends the store; later calls return ErrClosed. More calls do nothing.
	Close() error
}

// VenueMeta is what is kept about a venue.
type VenueMeta struct {
	// T0UnixUS is the start of the venue's timeline, microseconds since 1970: server time 0
	// and the start of tick 0. It never changes.
	T0UnixUS int64
}

// RegionKey names a region: the venue's id and the region's name.
type RegionKey struct{ Venue, Region string }

// String returns "venue/region".
func (k RegionKey) String() string { return k.Venue + "/" + k.Region }

// Lease is the right to write for a region, until somebody else acquires it.
type Lease struct {
	Key         RegionKey
	Epoch       uint64 // 1, 2, 3 ... a region
	Incarnation uint64 // random, not 0, below 2^53: tells this start from every other, even after a lost store
	IDBlock     uint32 // unique in the venue for ever, not 0
}

// Record is one tick's entry of a region's log.
type Record struct {
	Tick   uint64
	Data   []byte
	Scores []Score // given in this tick; Load does not return them
}

// Snapshot is a region's whole durable state at the end of a tick.
type Snapshot struct {
	Tick    uint64
	Version uint32 // of the layout of Data, the writer's
	Data    []byte
	SHA256  [32]byte // of Data
	// Gap says that records between the snapshot before and this one never reached the
	// log (the store was away for too long), so the one before is no way back to this state.
	Gap bool
	// Scores of such records: they are in no state, and count with the snapshot that stands for the records. Load does not return them.
	Scores []Score
}

// NewSnapshot returns a snapshot of data with its checksum.
func NewSnapshot(tick uint64, version uint32, data []byte) Snapshot {
	return Snapshot{Tick: tick, Version: version, Data: data, SHA256: sha256.Sum256(data)}
}

// Partitions of places.
const (
	PartitionMain = ""     // people
	PartitionLoad = "load" // load generators: their writes touch nothing of a person's
)

// UserPlace is where a person was last.
type UserPlace struct {
	User      string
	Partition string
	At        lattice.Joint // the head, venue coordinates
	Tick      uint64        // when
}

// Limits of what a store takes; above them a call returns ErrLimit.
const (
	MaxTick     = 1<<62 - 1
	MaxName     = 256      // bytes of a venue's, region's, user's or partition's name
	MaxRecord   = 4 << 20  // bytes of one log record
	MaxSnapshot = 64 << 20 // bytes of a snapshot
)

// Errors, to be told apart with errors.Is; what is returned names the place and what to do.
var (
	// ErrFenced: the lease is not the region's newest. Stop writing; somebody else owns the region.
	ErrFenced = errors.New("the region has a newer owner")
	// ErrTickOrder: a tick is not above those stored.
	ErrTickOrder = errors.New("tick not above those stored")
	// ErrLimit: a name or a value is too large, or a name is empty where it must not be.
	ErrLimit = errors.New("outside the store's limits")
	// ErrChecksum: a snapshot to save does not have the checksum it states.
	ErrChecksum = errors.New("the data does not have the checksum stated")
	// ErrDamaged: what is stored is not what was written.
	ErrDamaged = errors.New("the store is damaged")
	// ErrInUse: another process has the store open.
	ErrInUse = errors.New("the store is in use by another process")
	// ErrNotWritable: the place of the store cannot be written.
	ErrNotWritable = errors.New("the store's folder cannot be written")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// Fenced returns the ErrFenced of a write under l while the region is at epoch.
func Fenced(l Lease, epoch uint64) error {
	return fmt.Errorf("region %s: write under epoch %d refused, it is at epoch %d: %w", l.Key, l.Epoch, epoch, ErrFenced)
}

// Overtaken returns the ErrFenced of AcquireAfter for a region that is at epoch.
func Overtaken(k RegionKey, after, epoch uint64) error {
	return fmt.Errorf("region %s: an owner after epoch %d was wanted, it is at epoch %d: %w", k, after, epoch, ErrFenced)
}

// Checks that every backend makes first, so that all refuse the same things.

// CheckKey returns ErrLimit for a key that no backend takes.
func CheckKey(k RegionKey) error {
	if err := CheckName("venue", k.Venue); err != nil {
		return err
	}
	return CheckName("region", k.Region)
}

// CheckName returns ErrLimit for an empty or too long name; what says whose it is.
func CheckName(what, name string) error {
	if name == "" || len(name) > MaxName {
		return fmt.Errorf("store: %s name of %d bytes, 1 to %d are allowed: %w", what, len(name), MaxName, ErrLimit)
	}
	return nil
}

// CheckRecords returns ErrLimit or ErrTickOrder for records that no backend takes,
// whatever it holds.
func CheckRecords(k RegionKey, records []Record) error {
	for i, r := range records {
		if r.Tick > MaxTick {
			return fmt.Errorf("region %s: log record of tick %d, at most %d is allowed: %w", k, r.Tick, uint64(MaxTick), ErrLimit)
		}
		if len(r.Data) > MaxRecord {
			return fmt.Errorf("region %s: log record of tick %d has %d bytes, at most %d are allowed: %w", k, r.Tick, len(r.Data), MaxRecord, ErrLimit)
		}
		if i > 0 && r.Tick <= records[i-1].Tick {
			return fmt.Errorf("region %s: log record of tick %d behind one of tick %d: %w", k, r.Tick, records[i-1].Tick, ErrTickOrder)
		}
		if err := checkScores(r.Scores, func() string { return fmt.Sprintf("region %s: log record of tick %d", k, r.Tick) }); err != nil {
			return err
		}
	}
	return nil
}

// CheckSnapshot returns ErrLimit or ErrChecksum for a snapshot that no backend takes.
func CheckSnapshot(k RegionKey, s *Snapshot) error {
	if s.Tick > MaxTick {
		return fmt.Errorf("region %s: snapshot of tick %d, at most %d is allowed: %w", k, s.Tick, uint64(MaxTick), ErrLimit)
	}
	if len(s.Data) > MaxSnapshot {
		return fmt.Errorf("region %s: snapshot of tick %d has %d bytes, at most %d are allowed: %w", k, s.Tick, len(s.Data), MaxSnapshot, ErrLimit)
	}
	if sha256.Sum256(s.Data) != s.SHA256 {
		return fmt.Errorf("region %s: snapshot of tick %d: %w", k, s.Tick, ErrChecksum)
	}
	return checkScores(s.Scores, func() string { return fmt.Sprintf("region %s: snapshot of tick %d", k, s.Tick) })
}

// CheckPlaces returns ErrLimit for places that no backend takes.
func CheckPlaces(places []UserPlace) error {
	for i := range places {
		if err := CheckName("user", places[i].User); err != nil {
			return err
		}
		if len(places[i].Partition) > MaxName {
			return fmt.Errorf("store: partition name of %d bytes, at most %d are allowed: %w", len(places[i].Partition), MaxName, ErrLimit)
		}
	}
	return nil
}
