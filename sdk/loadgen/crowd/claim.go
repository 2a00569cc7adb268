package crowd

import "sync"

// claims is what visitors are busy with, so that two of them do not go for one thing by chance.
type claims struct {
	mu    sync.Mutex
	taken map[uint64]bool // objects and doors, by entity
}

// take claims a thing, and reports false when it is claimed.
func (c *claims) take(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken[id] {
		return false
	}
	if c.taken == nil {
		c.taken = map[uint64]bool{}
	}
	c.taken[id] = true
	return true
}

// free ends a claim.
func (c *claims) free(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.taken, id)
}
