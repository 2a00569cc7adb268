package token

import (
	"sync"
	"time"
)

// maxUsed bounds the ids remembered: about 6 MB at worst.
const maxUsed = 1 << 16

type taken int

const (
	takenNow taken = iota
	takenBefore
	takenFull
)

// usedIDs remembers token ids until their tokens expire.
type usedIDs struct {
	mu    sync.Mutex
	until map[string]time.Time
	sweep time.Time // when expired ids are next thrown out
}

func (u *usedIDs) take(id string, until, now time.Time) taken {
	u.mu.Lock()
	defer u.mu.Unlock()
	if now.After(u.sweep) || len(u.until) >= maxUsed {
		for k, t := range u.until {
			if now.After(t) {
				delete(u.until, k)
			}
		}
		u.sweep = now.Add(time.Minute)
	}
	if _, ok := u.until[id]; ok {
		return takenBefore
	}
	if len(u.until) >= maxUsed {
		return takenFull
	}
	u.until[id] = until
	return takenNow
}
