package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Registry is what a cluster keeps beside the data: who is there, and who owns which region. A backend for one process has none.
//
// Nothing about ownership depends on its clock: a member that was thought to be gone and is not writes under an epoch that
// the store refuses. The clock is the store's own, and decides only how soon somebody else takes over.
type Registry interface {
	// Join enters a member, or says that it is still there, for ttl. A member whose time is up is gone. It returns who is there now. It is refused with
	// ErrConflict while members are there that do not fit: of another version, cluster or layout, or another process of the same name.
	Join(ctx context.Context, venue string, m Member, ttl time.Duration) (Roll, error)
	// Leave takes a member out; one of another incarnation stays.
	Leave(ctx context.Context, venue, name string, incarnation uint64) error
	// Roll returns who is there.
	Roll(ctx context.Context, venue string) (Roll, error)
	// Claim is Store.AcquireAfter, and notes in the same step whose the region is.
	Claim(ctx context.Context, key RegionKey, owner string, epoch uint64) (Lease, error)
	// Release notes that an owner under an epoch has given the region up: it is nobody's. A route that is another by now stays.
	Release(ctx context.Context, key RegionKey, owner string, epoch uint64) error
}

// Member is one process of a cluster.
type Member struct {
	Name        string   `json:"name"`        // unique in the cluster
	Incarnation uint64   `json:"incarnation"` // of the process: random, not 0, below 2^53
	Roles       []string `json:"roles"`
	Version     string   `json:"version"`            // of the program
	Cluster     string   `json:"cluster"`            // fingerprint of the key that all processes share
	Layout      string   `json:"layout"`             // fingerprint of the venue's regions: who cuts them differently cannot own any
	Bus         string   `json:"bus"`                // host:port of its bus server for the others, "" with a bus outside
	HTTP        string   `json:"http"`               // host:port
	Draining    bool     `json:"draining,omitempty"` // it takes no more regions
}

// Has reports whether the member plays a role.
func (m *Member) Has(role string) bool {
	for _, r := range m.Roles {
		if r == role {
			return true
		}
	}
	return false
}

// Route says who owns a region.
type Route struct {
	Region string
	Owner  string // name of a member, perhaps one that is gone; "": taken with Acquire
	Epoch  uint64
}

// Roll is who is there, by name, and who owns what, by region.
type Roll struct {
	Now     time.Time // of the store's clock
	Members []Member
	Routes  []Route
}

// Member returns the member of a name, nil when it is not there.
func (r *Roll) Member(name string) *Member {
	for i := range r.Members {
		if r.Members[i].Name == name {
			return &r.Members[i]
		}
	}
	return nil
}

// ErrConflict: a process does not fit those that are there.
var ErrConflict = errors.New("it does not fit the cluster")

// ErrName is the ErrConflict of a name that another process has: perhaps one that died a moment ago.
var ErrName = fmt.Errorf("the name is taken: %w", ErrConflict)

// Conflict returns the ErrConflict of a newcomer beside a member that is there, nil when they fit.
func Conflict(newcomer, there *Member) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("member %s: "+format+": %w", append(append([]any{newcomer.Name}, args...), ErrConflict)...)
	}
	switch {
	case newcomer.Name == there.Name && newcomer.Incarnation != there.Incarnation:
		return fmt.Errorf("member %s: another process of this name is there (at %s): give each process a name of its own ([cluster] name), or wait until it is gone: %w", newcomer.Name, there.HTTP, ErrName)
	case newcomer.Cluster != there.Cluster:
		return refuse("member %s has another key ([tokens] key_file): if these are two clusters, give them different prefixes ([store] prefix)", there.Name)
	case newcomer.Version != there.Version:
		return refuse("it is venued %s, member %s is venued %s: all processes of a cluster run the same version", newcomer.Version, there.Name, there.Version)
	case newcomer.Layout != there.Layout:
		return refuse("its venue is not cut into the regions that member %s has: all processes need the same venue; to move borders, stop the cluster first", there.Name)
	}
	return nil
}

// CheckMember returns ErrLimit for a member that no backend takes.
func CheckMember(m *Member) error {
	if err := CheckName("member", m.Name); err != nil {
		return err
	}
	if m.Incarnation == 0 || m.Incarnation >= 1<<53 {
		return fmt.Errorf("store: member %s has incarnation %d, 1 to 2^53-1 are allowed: %w", m.Name, m.Incarnation, ErrLimit)
	}
	for _, s := range append([]string{m.Version, m.Cluster, m.Layout, m.Bus, m.HTTP}, m.Roles...) {
		if len(s) > MaxName || strings.ContainsRune(s, 0) {
			return fmt.Errorf("store: member %s: %q is above %d bytes or has a zero byte: %w", m.Name, s, MaxName, ErrLimit)
		}
	}
	return nil
}
