package abi

import (
	"errors"
	"fmt"
)

// ErrNoSection says that a module has no custom section of the wanted name.
var ErrNoSection = errors.New("no such custom section")

// MaxSections is the largest number of sections of a module that Sections takes.
const MaxSections = 256

// ModuleHeader is how every WebAssembly module of version 1 begins.
const ModuleHeader = "\x00asm\x01\x00\x00\x00"

// Section is one section of a WebAssembly module. Its slices alias the module.
type Section struct {
	ID   byte
	Name string // of a custom section (ID 0)
	Body []byte // behind the name, for a custom section
	Raw  []byte // the whole section with its id and size
}

// Sections splits a module into its sections without looking into any but for the name
// of custom ones. Whatever the bytes are, it allocates no more than MaxSections
// entries; errors name the offset.
func Sections(wasm []byte) ([]Section, error) {
	if len(wasm) < len(ModuleHeader) || string(wasm[:4]) != ModuleHeader[:4] {
		return nil, errors.New("wasm: not a WebAssembly module: it does not begin with \\0asm")
	}
	if string(wasm[:8]) != ModuleHeader {
		return nil, fmt.Errorf("wasm: version bytes % x, want 01 00 00 00 (a core module, not a component)", wasm[4:8])
	}
	var out []Section
	for at := len(ModuleHeader); at < len(wasm); {
		if len(out) == MaxSections {
			return nil, fmt.Errorf("wasm: more than %d sections", MaxSections)
		}
		s := Section{ID: wasm[at]}
		size, n := Uvarint32(wasm[at+1:])
		if n == 0 {
			return nil, fmt.Errorf("wasm: section at offset %d: its size is not a 32-bit number", at)
		}
		start := at + 1 + n
		if uint64(size) > uint64(len(wasm)-start) {
			return nil, fmt.Errorf("wasm: section at offset %d: %d bytes reach past the end of the module", at, size)
		}
		end := start + int(size)
		s.Body, s.Raw = wasm[start:end:end], wasm[at:end:end]
		if s.ID == 0 {
			length, n := Uvarint32(s.Body)
			if n == 0 || uint64(length) > uint64(len(s.Body)-n) {
				return nil, fmt.Errorf("wasm: custom section at offset %d: its name reaches past its end", at)
			}
			s.Name = string(s.Body[n : n+int(length)])
			s.Body = s.Body[n+int(length):]
		}
		out = append(out, s)
		at = end
	}
	return out, nil
}

// CustomSection returns the content of the one custom section of that name. It is an
// error when the module is damaged, has none (ErrNoSection), or has two.
func CustomSection(wasm []byte, name string) ([]byte, error) {
	sections, err := Sections(wasm)
	if err != nil {
		return nil, err
	}
	var found *Section
	for i := range sections {
		s := &sections[i]
		if s.ID != 0 || s.Name != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("wasm: two custom sections %q", name)
		}
		found = s
	}
	if found == nil {
		return nil, fmt.Errorf("wasm: %w: %q", ErrNoSection, name)
	}
	return found.Body, nil
}

// AppendCustomSection appends a custom section to a module or a part of one.
func AppendCustomSection(dst []byte, name string, content []byte) []byte {
	size := len(appendUvarint32(nil, uint32(len(name)))) + len(name) + len(content)
	dst = appendUvarint32(append(dst, 0), uint32(size))
	dst = append(appendUvarint32(dst, uint32(len(name))), name...)
	return append(dst, content...)
}

// Uvarint32 reads an unsigned LEB128 number of at most 32 bits and returns it with its
// length, or 0, 0 when b is too short or the number too long.
func Uvarint32(b []byte) (uint32, int) {
	var v uint32
	for i := range 5 {
		if i >= len(b) {
			return 0, 0
		}
		c := b[i]
		if i == 4 && c > 0x0f {
			return 0, 0
		}
		v |= uint32(c&0x7f) << (7 * i)
		if c < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

func appendUvarint32(dst []byte, v uint32) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}
