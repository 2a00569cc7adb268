//go:build race

package wire

// perByte is what reading a byte may allocate: the race detector pads allocations.
const perByte = 8
