// Pack makes a rule plugin out of a compiled module and a manifest: it drops the custom
// sections that compilers leave (names, producers, debugging) and adds the manifest, checked. The
// code itself is checked when the host loads it.
//
//	pack -manifest manifest.json -o plugin.wasm module.wasm
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/venued/venued/abi"
)

func main() {
	manifest := flag.String("manifest", "", "file of the plugin's manifest (JSON)")
	output := flag.String("o", "", "file to write the plugin to")
	names := flag.Bool("names", false, "keep the section of function names, for readable traces")
	flag.Parse()
	if *manifest == "" || *output == "" || flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: pack -manifest FILE -o FILE [-names] MODULE.wasm")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *manifest, *output, *names); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(module, manifest, output string, names bool) error {
	wasm, err := os.ReadFile(module)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	packed, err := abi.Pack(wasm, text, names)
	if err != nil {
		return fmt.Errorf("%s with %s: %w", module, manifest, err)
	}
	return os.WriteFile(output, packed, 0o644)
}
