package compile

import "time"

// Limits bounds what compiling one module may take. The zero value has the defaults.
type Limits struct {
	// Memory is the address space of the child, bytes. Default 3 GiB: compiling the largest modules that pass the prescan
	// was seen to fail with half of that. Builds with the race detector, whose address space is all there is, ignore it.
	Memory int64
	// CPU is the processor time, whole seconds. Default 20 s.
	CPU time.Duration
	// Wall is the time after which the parent ends the child whatever it does. Default 60 s.
	Wall time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.Memory <= 0 {
		l.Memory = 3 << 30
	}
	if l.CPU <= 0 {
		l.CPU = 20 * time.Second
	}
	l.CPU = max(l.CPU.Round(time.Second), time.Second)
	if l.Wall <= 0 {
		l.Wall = 60 * time.Second
	}
	return l
}
