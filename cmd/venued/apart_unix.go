//go:build unix

package main

import "syscall"

// apart keeps Ctrl-C in the terminal from the processes that a command starts: it asks them to end itself, in order.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
