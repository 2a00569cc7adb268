//go:build !linux

package crowd

import "time"

var began = time.Now()

// threadTime is the time that passed: the system does not tell a thread's.
func threadTime() time.Duration { return time.Since(began) }
