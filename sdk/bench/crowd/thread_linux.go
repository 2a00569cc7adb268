package crowd

import (
	"syscall"
	"time"
)

// rusageThread is RUSAGE_THREAD of getrusage(2).
const rusageThread = 1

// threadTime is the processor time that this thread has used.
func threadTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(rusageThread, &r) != nil {
		return time.Since(began)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

var began = time.Now()
