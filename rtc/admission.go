package rtc

import "sync"

// Bounds of connections that are being set up.
const (
	pendingPerUser = 2
	pendingTotal   = 64
)

// admission counts the connections that are being set up. Everything before it is cheap: a
// token is checked first.
type admission struct {
	mu    sync.Mutex
	total int
	users map[string]int
}

// enter takes a place for a user's connection, nil when there is none. The function it returns
// gives the place back; more calls of it do nothing.
func (a *admission) enter(user string) (settle func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.total >= pendingTotal || a.users[user] >= pendingPerUser {
		return nil
	}
	if a.users == nil {
		a.users = map[string]int{}
	}
	a.total++
	a.users[user]++
	return sync.OnceFunc(func() { a.leave(user) })
}

func (a *admission) leave(user string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.total--
	if a.users[user]--; a.users[user] <= 0 {
		delete(a.users, user)
	}
}
