//go:build !race

package wire

// perByte is what reading a byte may allocate.
const perByte = 4
