package recording

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A file is a header block, then blocks of frames, then one end block:
//
//	0 magic u32, 4 version u16, 6 kind u16, 8 number u32 (0, 1, 2 ...), 12 frames u32, 16 tick u64 (of the first frame),
//	24 raw u32 (bytes of the content), 28 packed u32 (bytes that follow), 32 zero u32, 36 CRC-32C u32 of bytes 0-35 and the packed content
//
// little-endian, followed by the content, compressed with Zstandard.
const (
	blockMagic  = 0x43455256 // "VREC"
	blockHeader = 40
)

// Kinds of block.
const (
	blockStart  = 1 // JSON: Header
	blockFrames = 2
	blockEnd    = 3 // JSON: End
)

// End is how a recording ended.
type End struct {
	Reason string `json:"reason"`
	Frames uint64 `json:"frames"`
	Tick   uint64 `json:"tick"` // of the last frame
}

// block is the head of a block.
type block struct {
	version     uint16
	kind        uint16
	number      uint32
	frames      uint32
	tick        uint64
	raw, packed uint32
	sum         uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (b *block) append(dst []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, blockMagic)
	dst = le.AppendUint16(dst, b.version)
	dst = le.AppendUint16(dst, b.kind)
	dst = le.AppendUint32(dst, b.number)
	dst = le.AppendUint32(dst, b.frames)
	dst = le.AppendUint64(dst, b.tick)
	dst = le.AppendUint32(dst, b.raw)
	dst = le.AppendUint32(dst, b.packed)
	dst = le.AppendUint32(dst, 0)
	return le.AppendUint32(dst, b.sum)
}

// readBlock reads the head of a block; ok says that it is one at all.
func readBlock(h []byte) (b block, ok bool) {
	le := binary.LittleEndian
	if le.Uint32(h) != blockMagic {
		return b, false
	}
	return block{
		version: le.Uint16(h[4:]), kind: le.Uint16(h[6:]), number: le.Uint32(h[8:]), frames: le.Uint32(h[12:]), tick: le.Uint64(h[16:]),
		raw: le.Uint32(h[24:]), packed: le.Uint32(h[28:]), sum: le.Uint32(h[36:]),
	}, true
}

// sumOf is the checksum of a block whose head is h.
func sumOf(h, packed []byte) uint32 {
	return crc32.Update(crc32.Checksum(h[:36], castagnoli), castagnoli, packed)
}

// blocks writes a file block by block.
type blocks struct {
	w       io.Writer
	zip     *zstd.Encoder
	number  uint32
	buf     []byte
	written int64
}

func newBlocks(w io.Writer) (*blocks, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	return &blocks{w: w, zip: zip}, nil
}

func (b *blocks) write(kind uint16, frames uint32, tick uint64, raw []byte) error {
	b.buf = append(b.buf[:0], make([]byte, blockHeader)...)
	b.buf = b.zip.EncodeAll(raw, b.buf)
	packed := b.buf[blockHeader:]
	h := block{version: Version, kind: kind, number: b.number, frames: frames, tick: tick, raw: uint32(len(raw)), packed: uint32(len(packed))}
	head := h.append(nil)
	h.sum = sumOf(head, packed)
	copy(b.buf, h.append(head[:0]))
	b.number++
	n, err := b.w.Write(b.buf)
	b.written += int64(n)
	return err
}
