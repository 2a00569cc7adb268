package compile

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/tetratelabs/wazero"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module"
)

// suspicion is a line that a child which blames prints before it compiles a function alone.
type suspicion struct {
	Function int   `json:"function"` // index; imported ones are counted first
	CPUMS    int64 `json:"cpu_ms"`   // processor time of the child so far
}

// maxSuspects is how many functions are compiled alone, the longest bodies first.
const maxSuspects = 256

// blameFunctions compiles the functions of a module one by one, each in a module in which all others do nothing, and says
// so before each: the one at which the process is ended is to blame.
func blameFunctions(code []byte, out io.Writer) error {
	sections, err := abi.Sections(code)
	if err != nil {
		return err
	}
	imports := 0
	var bodies [][]byte
	for _, s := range sections {
		n, size := abi.Uvarint32(s.Body)
		switch s.ID {
		case module.SectionImport:
			imports = int(n) // all are functions
		case module.SectionCode:
			if bodies, err = splitBodies(s.Body[size:], int(n)); err != nil {
				return err
			}
		}
	}
	order := make([]int, len(bodies))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(bodies[b]), len(bodies[a])) })
	encoder := json.NewEncoder(out)
	say := func(function int) error {
		cpu, _ := usage()
		return encoder.Encode(suspicion{function, cpu.Milliseconds()})
	}
	for _, i := range order[:min(len(order), maxSuspects)] {
		if err := say(imports + i); err != nil {
			return err
		}
		compileAlone(sections, bodies, i)
	}
	return say(-1)
}

// splitBodies splits the code section behind its count.
func splitBodies(b []byte, n int) ([][]byte, error) {
	var out [][]byte
	for range n {
		size, k := abi.Uvarint32(b)
		if k == 0 || uint64(size) > uint64(len(b)-k) {
			return nil, fmt.Errorf("body %d reaches past the end of its section", len(out))
		}
		out = append(out, b[k:k+int(size)])
		b = b[k+int(size):]
	}
	return out, nil
}

// compileAlone compiles function i. Whether that works does not matter.
func compileAlone(sections []abi.Section, bodies [][]byte, i int) {
	nothing := []byte{3, 0, byte(module.Unreachable), byte(module.End)} // size, no locals
	content := leb(nil, len(bodies))
	for k, body := range bodies {
		if k != i {
			content = append(content, nothing...)
			continue
		}
		content = append(leb(content, len(body)), body...)
	}
	wasm := []byte(abi.ModuleHeader)
	for _, s := range sections {
		if s.ID == module.SectionCode {
			wasm = append(leb(append(wasm, s.ID), len(content)), content...)
		} else {
			wasm = append(wasm, s.Raw...)
		}
	}
	defer func() { _ = recover() }()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, RuntimeConfig())
	defer r.Close(ctx)
	_, _ = r.CompileModule(ctx, wasm)
}

// leb appends an unsigned LEB128 number.
func leb(dst []byte, n int) []byte {
	for n >= 0x80 {
		dst = append(dst, byte(n)|0x80)
		n >>= 7
	}
	return append(dst, byte(n))
}
