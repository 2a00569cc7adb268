//go:build !linux

package main

import "syscall"

// apart has no effect here.
func apart() *syscall.SysProcAttr { return nil }
