package abi

import (
	"bytes"
	"encoding/json"
)

// Pack makes a plugin out of a compiled module and its manifest: it drops the custom sections that
// compilers leave (names, producers, debugging; names are kept if wanted, for readable traces) and adds the
// manifest, checked. The same input gives the same bytes, and packing what is packed changes nothing. The
// code itself is checked when a host loads it.
func Pack(wasm, manifest []byte, names bool) ([]byte, error) {
	sections, err := Sections(wasm)
	if err != nil {
		return nil, err
	}
	// Before compacting: messages then speak of what the author wrote.
	if _, err := ParseManifest(manifest); err != nil {
		return nil, err
	}
	out := []byte(ModuleHeader)
	for _, s := range sections {
		if s.ID != 0 || names && s.Name == "name" {
			out = append(out, s.Raw...)
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, manifest); err != nil {
		return nil, err
	}
	return AppendCustomSection(out, ManifestSection, compact.Bytes()), nil
}
