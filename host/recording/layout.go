package recording

import (
	"encoding/binary"

	"github.com/venued/venued/abi"
)

// part is where a piece of text lies in a list of records.
type part struct{ from, to int }

// batchParts returns where the free data of a batch's events is: everything else are numbers.
func batchParts(b []byte) []part {
	if len(b) < abi.HeaderSize {
		return nil
	}
	le := binary.LittleEndian
	return dataParts(b, int(le.Uint16(b[6:])), int(le.Uint16(b[12:])), int(le.Uint32(b[8:])), 80)
}

// commandParts returns where the free data of commands is. Of bytes that are no commands it is everything.
func commandParts(b []byte) []part {
	if len(b) < abi.CommandHeaderSize || binary.LittleEndian.Uint32(b) != abi.MagicCommands {
		return []part{{0, len(b)}}
	}
	le := binary.LittleEndian
	return dataParts(b, abi.CommandHeaderSize, int(le.Uint16(b[6:])), int(le.Uint32(b[8:])), 44)
}

// dataParts reads the offsets and lengths that n records of a size from start on have at a field.
func dataParts(b []byte, start, size, n, field int) []part {
	var parts []part
	for i := range n {
		at := start + i*size + field
		if size < field+8 || at+8 > len(b) {
			break
		}
		from, length := uint64(binary.LittleEndian.Uint32(b[at:])), uint64(binary.LittleEndian.Uint32(b[at+4:]))
		if length > 0 && from+length <= uint64(len(b)) && (len(parts) == 0 || int(from) >= parts[len(parts)-1].to) {
			parts = append(parts, part{int(from), int(from + length)})
		}
	}
	return parts
}
