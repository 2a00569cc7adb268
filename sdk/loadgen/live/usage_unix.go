//go:build unix

package live

import (
	"runtime"
	"syscall"
	"time"
)

// Usage is what this process has used so far: processor time, and the most memory at a time, bytes. ok is false where the system does not
// say.
func Usage() (cpu time.Duration, memory int64, ok bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0, 0, false
	}
	unit := int64(1024)
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), int64(r.Maxrss) * unit, true
}
