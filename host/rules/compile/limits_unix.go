//go:build linux || darwin || freebsd

package compile

import (
	"fmt"
	"syscall"
	"time"
)

// niceness of a child: what serves people goes first.
const niceness = 10

// limitSelf puts this process under limits that it cannot leave.
func limitSelf(l Limits) error {
	seconds := uint64(l.CPU / time.Second)
	// Soft and hard limit alike, so that the kernel ends the process: Go ignores the signal of the soft one.
	if err := setLimit(syscall.RLIMIT_CPU, seconds); err != nil {
		return fmt.Errorf("limiting the processor time to %d s: %w", seconds, err)
	}
	if !raceEnabled {
		if err := setLimit(syscall.RLIMIT_AS, uint64(l.Memory)); err != nil {
			return fmt.Errorf("limiting the memory to %d bytes: %w", l.Memory, err)
		}
	}
	if err := setLimit(syscall.RLIMIT_CORE, 0); err != nil {
		return fmt.Errorf("forbidding core dumps: %w", err)
	}
	// Not being allowed to be nicer is no reason to stop.
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	return nil
}

func setLimit(which int, most uint64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(which, &now); err != nil {
		return err
	}
	now.Max = min(now.Max, most)
	now.Cur = now.Max
	return syscall.Setrlimit(which, &now)
}

// usage returns the processor time of this process so far and the most memory it had.
func usage() (cpu time.Duration, peak int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Maxrss) * maxrssUnit
}
