package project

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func (b *Builder) buildGo(ctx context.Context, p *Project, module string) error {
	tool, ok := find("GO", "go")
	if !ok {
		return missing("go", "the Go compiler", "GO")
	}
	source := p.Source
	if strings.HasSuffix(source, ".go") {
		source = filepath.Dir(source)
	}
	// The environment of whoever builds must not change what comes out.
	env := []string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOWASM=", "GOWORK=off", "GOTOOLCHAIN=local"}
	return b.run(ctx, p, env, tool, "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", module, "./"+filepath.ToSlash(source))
}

// wasmTarget is what Rust calls what it compiles to.
const wasmTarget = "wasm32-unknown-unknown"

// rustc finds a compiler that has the library for wasm beside it: the first on PATH may not.
func rustc(ctx context.Context) (string, error) {
	names := []string{"rustc", "/usr/bin/rustc"}
	if v := os.Getenv("RUSTC"); v != "" {
		names = []string{v}
	}
	found := false
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		found = true
		out, err := exec.CommandContext(ctx, path, "--print", "target-libdir", "--target", wasmTarget).Output()
		if err != nil {
			continue
		}
		if core, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "libcore-*.rlib")); len(core) > 0 {
			return path, nil
		}
	}
	if found {
		return "", missing("rust", "the Rust library for "+wasmTarget, "RUSTC")
	}
	return "", missing("rust", "the Rust compiler", "RUSTC")
}

func (b *Builder) buildRust(ctx context.Context, p *Project, module string) error {
	tool, err := rustc(ctx)
	if err != nil {
		return err
	}
	common := []string{"--edition", "2021", "--target", wasmTarget, "-C", "opt-level=3", "-C", "panic=abort", "-C", "lto=fat",
		"-C", "codegen-units=1", "-C", "strip=symbols", "-C", "metadata=venued", "--remap-path-prefix", p.Dir + "=."}
	kit := p.Path(filepath.Join(".build", "libvenued_rules.rlib"))
	if stale(kit, p.Path(p.Kit), tool) {
		args := append(common, "--crate-type", "rlib", "--crate-name", "venued_rules", filepath.Join(p.Kit, "src", "lib.rs"), "-o", kit)
		if err := b.run(ctx, p, nil, tool, args...); err != nil {
			return err
		}
	}
	args := append(common, "-C", "link-arg=-zstack-size=524288", "--crate-type", "cdylib", "--crate-name", "rule_"+strings.ReplaceAll(p.Name, "-", "_"),
		"--extern", "venued_rules="+kit, p.Source, "-o", module)
	return b.run(ctx, p, nil, tool, args...)
}

// stale reports whether a file is older than any of what it is made from, files and folders.
func stale(made string, from ...string) bool {
	info, err := os.Stat(made)
	if err != nil {
		return true
	}
	old := false
	for _, root := range from {
		err := filepath.WalkDir(root, func(_ string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			at, err := d.Info()
			old = old || err == nil && at.ModTime().After(info.ModTime())
			return err
		})
		old = old || err != nil
	}
	return old
}

func (b *Builder) buildC(ctx context.Context, p *Project, module string) error {
	clang, ok := find("CLANG", "clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14")
	if !ok {
		return missing("c", "the C compiler clang", "CLANG")
	}
	linker, ok := find("WASM_LD", "wasm-ld", "wasm-ld-19", "wasm-ld-18", "wasm-ld-17", "wasm-ld-16", "wasm-ld-15", "wasm-ld-14")
	if !ok {
		return missing("c", "the linker wasm-ld", "WASM_LD")
	}
	// Compiled and linked apart: as one step clang would run whatever wasm-opt it finds.
	object := strings.TrimSuffix(module, ".wasm") + ".o"
	err := b.run(ctx, p, nil, clang, "--target=wasm32", "-std=c11", "-O2", "-ffreestanding", "-fno-builtin", "-Wall", "-Wextra",
		"-ffile-prefix-map="+p.Dir+"=.", "-I"+p.Kit, "-c", p.Source, "-o", object)
	if err != nil {
		return err
	}
	return b.run(ctx, p, nil, linker, "--no-entry", "--strip-all", "-z", "stack-size=65536", object, "-o", module)
}
