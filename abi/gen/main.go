// Command gen turns abi/schema.json, the one description of the plugin contract, into what
// repeats it: the constants, records and codec of package abi, the low-level bindings of the four
// kits for rules, and the tables of docs/rules.md. `go generate ./abi` runs it; with --check it writes
// nothing and fails when a product is stale, which its test does too.
//
// The schema is checked first: names unique, numbers unique in their group, fields aligned, inside of their record and not
// over one another, minor versions known.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("abi/gen: ")
	root := flag.String("root", ".", "root of the repository")
	check := flag.Bool("check", false, "only say which products are stale")
	flag.Parse()
	stale, err := run(*root, *check)
	if err != nil {
		log.Fatal(err)
	}
	if *check && len(stale) > 0 {
		log.Fatalf("stale: %v: run go generate ./abi", stale)
	}
}

// run writes the products that differ from the schema, unless it only checks, and returns their names.
func run(root string, check bool) ([]string, error) {
	raw, err := os.ReadFile(filepath.Join(root, "abi", "schema.json"))
	if err != nil {
		return nil, err
	}
	s, err := parse(raw)
	if err != nil {
		return nil, err
	}
	products, err := generate(s, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, name)) })
	if err != nil {
		return nil, err
	}
	var stale []string
	for _, name := range slices.Sorted(maps.Keys(products)) {
		path := filepath.Join(root, name)
		old, err := os.ReadFile(path)
		if err == nil && bytes.Equal(old, products[name]) {
			continue
		}
		stale = append(stale, name)
		if check {
			continue
		}
		if err := os.WriteFile(path, products[name], 0o644); err != nil {
			return nil, err
		}
	}
	return stale, nil
}

// generate returns the content of every product by its path. read gives those of which only a part is generated.
func generate(s *schema, read func(name string) ([]byte, error)) (map[string][]byte, error) {
	products := map[string][]byte{
		"sdk/rules/rust/src/schema.rs":                rust(s),
		"sdk/rules/assemblyscript/assembly/schema.ts": assemblyScript(s),
	}
	for name, make := range map[string]func(*schema) ([]byte, error){
		"abi/schema_gen.go":          hostGo,
		"sdk/rules/go/schema_gen.go": guestGo,
	} {
		b, err := make(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		products[name] = b
	}
	for name, change := range map[string]func(*schema, []byte) ([]byte, error){
		"sdk/rules/c/venued.h": cHeader,
		"docs/rules.md":        document,
	} {
		old, err := read(name)
		if err != nil {
			return nil, err
		}
		if products[name], err = change(s, old); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return products, nil
}

// between replaces what stands between two marks.
func between(text []byte, begin, end string, content []byte) ([]byte, error) {
	i := bytes.Index(text, []byte(begin))
	if i < 0 {
		return nil, fmt.Errorf("the mark %q is missing", begin)
	}
	i += len(begin)
	n := bytes.Index(text[i:], []byte(end))
	if n < 0 {
		return nil, fmt.Errorf("the mark %q is missing behind %q", end, begin)
	}
	return slices.Concat(text[:i], content, text[i+n:]), nil
}
