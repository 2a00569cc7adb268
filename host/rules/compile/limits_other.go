//go:build !(linux || darwin || freebsd)

package compile

import "time"

// limitSelf does nothing here: only the parent's Wall bounds a child on this system.
func limitSelf(Limits) error { return nil }

func usage() (cpu time.Duration, peak int64) { return 0, 0 }
