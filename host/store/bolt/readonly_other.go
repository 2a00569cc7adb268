//go:build !unix

package bolt

func isReadOnly(error) bool { return false }
