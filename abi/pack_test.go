package abi_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
)

const packManifest = `{
  "name": "x", "version": "1.0.0", "abi": 1, "events": ["use"], "commands": ["accept"], "schema": 0
}`

func unpacked() []byte {
	m := abi.AppendCustomSection([]byte(abi.ModuleHeader), "producers", []byte("a compiler"))
	m = append(m, 1, 4, 1, 0x60, 0, 0) // a type section
	m = abi.AppendCustomSection(m, "name", []byte("names"))
	return abi.AppendCustomSection(m, abi.ManifestSection, []byte("an older manifest"))
}

func sectionNames(t *testing.T, wasm []byte) string {
	list, err := abi.Sections(wasm)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range list {
		names = append(names, string('0'+rune(s.ID))+s.Name)
	}
	return strings.Join(names, " ")
}

func TestPack(t *testing.T) {
	packed, err := abi.Pack(unpacked(), []byte(packManifest), false)
	if err != nil {
		t.Fatal(err)
	}
	if got := sectionNames(t, packed); got != "1 0venued.manifest" {
		t.Errorf("sections %s", got)
	}
	again, err := abi.Pack(packed, []byte(packManifest), false)
	if err != nil || !bytes.Equal(again, packed) {
		t.Errorf("packing what is packed changes it: %v", err)
	}
	named, err := abi.Pack(unpacked(), []byte(packManifest), true)
	if err != nil || sectionNames(t, named) != "1 0name 0venued.manifest" {
		t.Errorf("sections %s, %v", sectionNames(t, named), err)
	}
}

func TestPackRefuses(t *testing.T) {
	if _, err := abi.Pack([]byte("text"), []byte(packManifest), false); err == nil {
		t.Error("packed a text")
	}
	if _, err := abi.Pack(unpacked(), []byte(`{"name":"x"}`), false); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("packed a manifest without a version: %v", err)
	}
}
