package wire

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/bits"
	"strconv"
)

// Differences are coded by their size: a Huffman code for its class, then a sign and the low bits that the class
// leaves open. Sizes 0 to 7 are classes of their own, above that four classes an octave.

const (
	symbols    = 45 // classes of 0 to largestSize, and escape
	escape     = symbols - 1
	largest    = 4095
	tableCount = 22 // ever flatter codes, two an octave of the mean size
	maxLength  = 14 // of a class's code, bits
	peekBits   = 9  // codes up to this length are read by one look-up
)

//go:embed codec1.json
var codec1 []byte

// Codec is the number of the codec of updates, with its tables. A change of either is another number.
const Codec = 1

// codecFile is codec1.json: what the codec knows of how people move, as digits to base 36.
type codecFile struct {
	Comment string                          `json:"comment"`
	Codec   int                             `json:"codec"`
	Lengths [tableCount]string              `json:"lengths"` // of the codes of a table's classes
	Motion  [groupKinds][2][maxAhead]string `json:"motion"`  // tables by kind, level, ticks ahead, bucket
	Blind   [groupKinds]string              `json:"blind"`   // tables without motion, by ticks ahead
	Age     string                          `json:"age"`     // table of the difference of ages
}

// code is a class's code: its bits, the first one lowest, and their number.
type code struct {
	bits uint16
	len  uint8
}

// table is one Huffman code, for writing and for reading.
type table struct {
	codes [symbols]code
	// look[next bits] is symbol<<4 | length; 0 when the code is longer.
	look [1 << peekBits]uint16
	// For longer codes, as in canonical decoding: of each length the first code, how many there are,
	// and where their symbols begin in order.
	first, count, start [maxLength + 1]uint16
	order               [symbols]uint8
}

var (
	tables       [tableCount]table
	motionTables [groupKinds][2][maxAhead][buckets]uint8
	blindTables  [groupKinds][maxAhead]uint8
	ageTable     uint8
)

func init() {
	if err := loadCodec(codec1); err != nil {
		panic("codec1.json: " + err.Error())
	}
}

func loadCodec(data []byte) error {
	var f codecFile
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	if f.Codec != Codec {
		return fmt.Errorf("codec %d, want %d", f.Codec, Codec)
	}
	for i := range tables {
		var lengths [symbols]uint8
		if err := digits(f.Lengths[i], lengths[:], maxLength); err != nil {
			return fmt.Errorf("lengths[%d]: %w", i, err)
		}
		if err := tables[i].build(&lengths); err != nil {
			return fmt.Errorf("lengths[%d]: %w", i, err)
		}
	}
	for kind := range groupKinds {
		for level := range 2 {
			for a := range maxAhead {
				if err := digits(f.Motion[kind][level][a], motionTables[kind][level][a][:], tableCount-1); err != nil {
					return fmt.Errorf("motion[%d][%d][%d]: %w", kind, level, a, err)
				}
			}
		}
		if err := digits(f.Blind[kind], blindTables[kind][:], tableCount-1); err != nil {
			return fmt.Errorf("blind[%d]: %w", kind, err)
		}
	}
	var age [1]uint8
	if err := digits(f.Age, age[:], tableCount-1); err != nil {
		return fmt.Errorf("age: %w", err)
	}
	ageTable = age[0]
	return nil
}

// digits reads a digit to base 36 for each of to.
func digits(s string, to []uint8, most uint64) error {
	if len(s) != len(to) {
		return fmt.Errorf("%d digits, want %d", len(s), len(to))
	}
	for i := range to {
		v, err := strconv.ParseUint(s[i:i+1], 36, 8)
		if err != nil || v > most {
			return fmt.Errorf("digit %d is %q: want one up to %d", i, s[i:i+1], most)
		}
		to[i] = uint8(v)
	}
	return nil
}

// build makes the canonical code of the lengths (RFC 1951, 3.2.2): shorter ones first, and within a length by symbol. Every
// symbol has a code, and no bits are left over.
func (t *table) build(lengths *[symbols]uint8) error {
	*t = table{}
	for _, n := range lengths {
		if n == 0 {
			return fmt.Errorf("a class has no code")
		}
		t.count[n]++
	}
	next, at := 0, uint16(0)
	for n := 1; n <= maxLength; n++ {
		next = (next + int(t.count[n-1])) << 1
		t.first[n], t.start[n] = uint16(next), at
		at += t.count[n]
	}
	if next+int(t.count[maxLength]) != 1<<maxLength {
		return fmt.Errorf("the lengths make no complete code")
	}
	free, place := t.first, t.start
	for s, n := range lengths {
		c := code{bits: bits.Reverse16(free[n]) >> (16 - n), len: n}
		free[n]++
		t.codes[s] = c
		t.order[place[n]] = uint8(s)
		place[n]++
		if n <= peekBits {
			for high := range 1 << (peekBits - n) {
				t.look[int(c.bits)|high<<n] = uint16(s)<<4 | uint16(n)
			}
		}
	}
	return nil
}

// class returns the class of a size up to largest, and how many low bits it leaves open.
func class(size uint32) (symbol, open uint) {
	if size < 8 {
		return uint(size), 0
	}
	octave := uint(bits.Len32(size)) - 1
	open = octave - 2
	return 4*octave - 4 + uint(size>>open)&3, open
}

// residual writes a difference.
func (w *bitWriter) residual(v int32, t *table) {
	size := uint32(abs(v))
	if size > largest {
		c := t.codes[escape]
		w.put(uint32(c.bits), uint(c.len))
		w.put(uint32(v), 32)
		return
	}
	symbol, open := class(size)
	c := t.codes[symbol]
	if size == 0 {
		w.put(uint32(c.bits), uint(c.len))
		return
	}
	sign := uint32(v) >> 31
	n := uint(c.len)
	w.put(uint32(c.bits)|sign<<n|(size&(1<<open-1))<<(n+1), n+1+open)
}

// symbol reads a class.
func (r *bitReader) symbol(t *table) uint {
	next := r.peek(maxLength)
	if e := t.look[next&(1<<peekBits-1)]; e != 0 {
		r.skip(uint(e & 15))
		return uint(e >> 4)
	}
	code := uint16(bits.Reverse16(uint16(next)) >> (16 - peekBits))
	for n := uint(peekBits + 1); n <= maxLength; n++ {
		code = code<<1 | uint16(next>>(n-1)&1)
		if i := code - t.first[n]; code >= t.first[n] && i < t.count[n] {
			r.skip(n)
			return uint(t.order[t.start[n]+i])
		}
	}
	r.short = true // a complete code: not reached
	return 0
}

// residual reads a difference.
func (r *bitReader) residual(t *table) int32 { return r.size(r.symbol(t)) }

// size reads the rest of a difference of a class.
func (r *bitReader) size(symbol uint) int32 {
	if symbol == 0 {
		return 0
	}
	if symbol == escape {
		return int32(r.get(32))
	}
	size, open := uint32(symbol), uint(0)
	if symbol >= 8 {
		open = symbol/4 - 1
		size = (4 + uint32(symbol&3)) << open
	}
	rest := r.get(1 + open)
	size |= rest >> 1
	if rest&1 != 0 {
		return -int32(size)
	}
	return int32(size)
}
