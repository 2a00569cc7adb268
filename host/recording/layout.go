package recording

import (
	"encoding/binary"

	"github.com/venued/venued/abi"
)

// batchData returns where the free data of a batch begins: before it are records of numbers.
func batchData(b []byte) int {
	if len(b) < abi.HeaderSize {
		return len(b)
	}
	le := binary.LittleEndian
	return min(len(b), int(le.Uint16(b[6:]))+int(le.Uint32(b[8:]))*int(le.Uint16(b[12:]))+int(le.Uint32(b[16:]))*int(le.Uint16(b[14:])))
}

// commandData returns where the free data of a list of commands begins.
func commandData(b []byte) int {
	if len(b) < abi.CommandHeaderSize {
		return len(b)
	}
	le := binary.LittleEndian
	return min(len(b), abi.CommandHeaderSize+int(le.Uint32(b[8:]))*int(le.Uint16(b[6:])))
}
