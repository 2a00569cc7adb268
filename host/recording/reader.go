package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Errors of a Reader, to be told apart with errors.Is; what is returned says where, and how much before it is whole.
var (
	// ErrNotRecording: the file does not begin as a recording does.
	ErrNotRecording = errors.New("not a recording")
	// ErrVersion: another version of the format.
	ErrVersion = errors.New("unknown version of recordings")
	// ErrCut: the file ends before the recording does. What was read so far is whole.
	ErrCut = errors.New("the recording is cut off")
	// ErrDamaged: a block is not what was written. What was read so far is whole.
	ErrDamaged = errors.New("the recording is damaged")
)

// Reader reads a recording from the front. It belongs to one goroutine.
type Reader struct {
	r      io.Reader
	zip    *zstd.Decoder
	header Header
	offset int64 // of the next block
	number uint32

	chunk  bytesReader
	left   uint32 // frames of the chunk
	frames uint64
	tick   uint64
	end    *End
	err    error
}

// maxBrackets bounds what a header's JSON can take in memory; a region of 10,000 people has less than half as many.
const maxBrackets = 1 << 20

// NewReader reads the header.
func NewReader(r io.Reader) (*Reader, error) {
	zip, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxHeader), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	rd := &Reader{r: r, zip: zip}
	b, content, err := rd.block()
	switch {
	case errors.Is(err, io.EOF):
		err = fmt.Errorf("the file is empty: %w", ErrNotRecording)
	case err == nil && b.kind != blockStart:
		err = fmt.Errorf("it begins with a block of kind %d: %w", b.kind, ErrDamaged)
	case err == nil && bytes.Count(content, []byte("{"))+bytes.Count(content, []byte("[")) > maxBrackets:
		err = fmt.Errorf("header: more than %d objects and lists: %w", maxBrackets, ErrDamaged)
	case err == nil:
		if err = json.Unmarshal(content, &rd.header); err != nil {
			err = fmt.Errorf("header: %w: %w", err, ErrDamaged)
		} else if err = rd.header.check(); err != nil {
			err = fmt.Errorf("%w: %w", err, ErrDamaged)
		}
	}
	if err != nil {
		zip.Close()
		return nil, err
	}
	rd.tick = rd.header.Start.Tick
	return rd, nil
}

// Header returns what the recording begins with. It must not be changed.
func (rd *Reader) Header() *Header { return &rd.header }

// End returns how the recording ended, once Next has returned io.EOF.
func (rd *Reader) End() *End { return rd.end }

// Frames returns how many frames were read so far, and the tick of the last of them (of the start state, if none was).
func (rd *Reader) Frames() (n, tick uint64) { return rd.frames, rd.tick }

// Close frees what decompression holds.
func (rd *Reader) Close() { rd.zip.Close() }

// Next returns the next tick, which shares no memory with others; io.EOF after the last one, ErrCut or ErrDamaged where the
// file is not whole any more. The same error comes again from then on.
func (rd *Reader) Next() (*Frame, error) {
	if rd.err != nil {
		return nil, rd.err
	}
	f, err := rd.next()
	if err != nil {
		rd.err = err
		return nil, err
	}
	rd.frames++
	rd.tick = f.Tick
	return f, nil
}

func (rd *Reader) next() (*Frame, error) {
	for rd.left == 0 {
		if rd.end != nil {
			return nil, io.EOF
		}
		at := rd.offset
		b, content, err := rd.block()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("after %s the file ends without saying why: %w", rd.whole(), ErrCut)
		}
		if err != nil {
			return nil, fmt.Errorf("after %s: %w", rd.whole(), err)
		}
		switch b.kind {
		case blockFrames:
			rd.chunk, rd.left = bytesReader{b: content, all: len(content)}, b.frames
		case blockEnd:
			rd.end = new(End)
			if err := json.Unmarshal(content, rd.end); err != nil {
				return nil, fmt.Errorf("after %s: block %d at byte %d: %w: %w", rd.whole(), b.number, at, err, ErrDamaged)
			}
		default:
			return nil, fmt.Errorf("after %s: block %d at byte %d is of kind %d: %w", rd.whole(), b.number, at, b.kind, ErrDamaged)
		}
	}
	f := rd.chunk.frame(len(rd.header.Rules), len(rd.header.Parts))
	rd.left--
	if rd.left == 0 && rd.chunk.err == nil && len(rd.chunk.b) > 0 {
		rd.chunk.fail("length", "%d bytes follow the frames", len(rd.chunk.b))
	}
	if rd.chunk.err == nil && f.Tick <= rd.tick {
		rd.chunk.fail("tick", "%d does not come after %d", f.Tick, rd.tick)
	}
	if err := rd.chunk.err; err != nil {
		return nil, fmt.Errorf("after %s: block %d: %w: %w", rd.whole(), rd.number-1, err, ErrDamaged)
	}
	return &f, nil
}

// whole says how much was good.
func (rd *Reader) whole() string {
	seconds := float64(rd.frames) / float64(rd.header.TickHz)
	return fmt.Sprintf("%d whole ticks (%.1f s, up to tick %d)", rd.frames, seconds, rd.tick)
}

// block reads the next block; io.EOF where there is none.
func (rd *Reader) block() (b block, content []byte, err error) {
	at := rd.offset
	var head [blockHeader]byte
	n, err := io.ReadFull(rd.r, head[:])
	rd.offset += int64(n)
	first := rd.number == 0
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) && first:
		return b, nil, fmt.Errorf("%d bytes are no recording: %w", n, ErrNotRecording)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return b, nil, fmt.Errorf("block %d at byte %d has %d bytes of its head: %w", rd.number, at, n, ErrCut)
	case err != nil:
		return b, nil, err
	}
	b, ok := readBlock(head[:])
	switch {
	case !ok && first:
		return b, nil, fmt.Errorf("it does not begin with %q: %w", "VREC", ErrNotRecording)
	case !ok:
		return b, nil, fmt.Errorf("byte %d begins no block: %w", at, ErrDamaged)
	case b.version != Version:
		return b, nil, fmt.Errorf("version %d, this build reads %d: read it with the build that made it: %w", b.version, Version, ErrVersion)
	case b.number != rd.number:
		return b, nil, fmt.Errorf("block %d stands at byte %d, where block %d belongs: %w", b.number, at, rd.number, ErrDamaged)
	}
	limit := uint32(MaxChunk)
	if b.kind == blockStart {
		limit = MaxHeader
	}
	if b.raw > limit || b.packed > limit+limit/8+1024 {
		return b, nil, fmt.Errorf("block %d at byte %d claims %d bytes, %d compressed: %w", b.number, at, b.raw, b.packed, ErrDamaged)
	}
	// Grows with what is there, not with what is claimed.
	var packed bytes.Buffer
	m, err := io.CopyN(&packed, rd.r, int64(b.packed))
	rd.offset += m
	if err != nil && !errors.Is(err, io.EOF) {
		return b, nil, err
	}
	if err != nil {
		return b, nil, fmt.Errorf("block %d at byte %d has %d of its %d bytes: %w", b.number, at, m, b.packed, ErrCut)
	}
	if sum := sumOf(head[:], packed.Bytes()); sum != b.sum {
		return b, nil, fmt.Errorf("block %d at byte %d: checksum is %08x, the block says %08x: %w", b.number, at, sum, b.sum, ErrDamaged)
	}
	content, err = rd.zip.DecodeAll(packed.Bytes(), nil)
	if err != nil {
		return b, nil, fmt.Errorf("block %d at byte %d: %w: %w", b.number, at, err, ErrDamaged)
	}
	if len(content) != int(b.raw) {
		return b, nil, fmt.Errorf("block %d at byte %d has %d bytes, says %d: %w", b.number, at, len(content), b.raw, ErrDamaged)
	}
	rd.number++
	return b, content, nil
}
