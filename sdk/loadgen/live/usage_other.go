//go:build !unix

package live

import "time"

// Usage is what this process has used so far: processor time, and the most memory at a time, bytes. ok is false where the system does not
// say.
func Usage() (cpu time.Duration, memory int64, ok bool) { return 0, 0, false }
