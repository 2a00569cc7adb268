package main

import "syscall"

// apart keeps Ctrl-C in the terminal from the processes that a command starts: it asks them to end itself, in order. When the command is killed,
// the system asks them: more exactly, when the thread ends that started them.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
