package meter

import (
	"testing"

	. "github.com/venued/venued/host/rules/module/wasmtest"
)

// Fuel by hand: each way through a function costs what its instructions cost, and nothing of the ways not taken.
func TestEachWayCostsItsInstructions(t *testing.T) {
	get, set := Op(0x20, 0), Op(0x21, 1)
	// One statement that costs n units: constants and drops.
	work := func(n int) []byte { return repeat(n, ConstI32(0), []byte{0x1a}) }
	block, loop, cond, end, otherwise := []byte{0x02, 0x40}, []byte{0x03, 0x40}, []byte{0x04, 0x40}, []byte{0x0b}, []byte{0x05}
	for name, c := range map[string]struct {
		body []byte
		cost map[uint64]int64 // by argument, the entry not counted
	}{
		"nothing":      {nil, map[uint64]int64{0: 0}},
		"straight":     {work(7), map[uint64]int64{0: 7}},
		"if":           {Cat(get, cond, work(10), end, work(100)), map[uint64]int64{0: 2 + 100, 1: 2 + 10 + 100}},
		"if and else":  {Cat(get, cond, work(10), otherwise, work(20), end, work(100)), map[uint64]int64{0: 2 + 20 + 100, 1: 2 + 10 + 100}},
		"skipped":      {Cat(block, get, []byte{0x0d, 0}, work(10), end, work(100)), map[uint64]int64{0: 2 + 10 + 100, 1: 2 + 100}},
		"skipped far":  {Cat(block, block, get, []byte{0x0d, 1}, work(10), end, work(50), end, work(100)), map[uint64]int64{0: 2 + 10 + 50 + 100, 1: 2 + 100}},
		"not a target": {Cat(work(3), block, work(10), end, work(100)), map[uint64]int64{0: 113}},
		"left":         {Cat(get, cond, work(10), []byte{0x0f}, end, work(100)), map[uint64]int64{0: 2 + 100, 1: 2 + 10 + 1}},
		"switch": {Cat(block, block, block, get, []byte{0x0e, 2, 0, 1, 2}, end, work(10), []byte{0x0c, 1}, end, work(20), end, work(100)),
			map[uint64]int64{0: 4 + 10 + 1 + 100, 1: 4 + 20 + 100, 2: 4 + 100, 9: 4 + 100}},
		"loop":             {Cat(get, set, loop, work(10), Op(0x20, 1), ConstI32(1), []byte{0x6b}, Op(0x22, 1), []byte{0x0d, 0}, end, work(100)), map[uint64]int64{1: 2 + 15 + 100, 4: 2 + 4*15 + 100}},
		"loads and stores": {Cat(get, get, []byte{0x28, 2, 0, 0x36, 2, 0}), map[uint64]int64{0: 2 + costMemory + costMemory}},
		"division":         {Cat(ConstI32(1), ConstI32(1), []byte{0x6d, 0x1a}), map[uint64]int64{0: 2 + costDivide}},
		"a call":           {Cat(Op(0x10, 1), work(5)), map[uint64]int64{0: costCall + 5 + CostEntry + 3}},
		"a call by table":  {Cat(ConstI32(1), []byte{0x11}, U(1), []byte{0}, work(5)), map[uint64]int64{0: 1 + costIndirect + 5 + CostEntry + 3}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &Module{
				Memory: &Range{Min: 1}, Table: &Range{Min: 2, Max: 2}, Elements: []uint32{0, 1},
				Funcs: []Func{{Export: "f", Params: I32, Locals: I32, Body: c.body}, {Body: work(3)}},
			}
			for engine, r := range runtimes(t) {
				g := start(t, r, metered(t, m.Encode()))
				for arg, want := range c.cost {
					if _, used, err := g.call(ample, "f", arg); err != nil || used != CostEntry+want {
						t.Errorf("%s: f(%d) used %d units, want %d (%v)", engine, arg, used, CostEntry+want, err)
					}
				}
				g.close(t)
			}
		})
	}
}

// What takes time by its operand costs by it.
func TestLengthsCost(t *testing.T) {
	zero, n := ConstI32(0), Op(0x20, 0)
	for name, c := range map[string]struct {
		body []byte
		cost map[uint64]int64 // by length, beside what length 0 costs
	}{
		"fill":       {Cat(zero, zero, n, []byte{0xfc, 11, 0}), map[uint64]int64{7: 0, 8: 1, 60_000: 7500}},
		"copy":       {Cat(zero, zero, n, []byte{0xfc, 10, 0, 0}), map[uint64]int64{7: 0, 8: 1, 60_000: 7500}},
		"init":       {Cat(zero, zero, n, []byte{0xfc, 8, 0, 0}), map[uint64]int64{16: 2, 100: 12}},
		"table copy": {Cat(zero, zero, n, []byte{0xfc, 14, 0, 0}), map[uint64]int64{1: 1, 4: 4}},
		"table init": {Cat(zero, zero, n, []byte{0xfc, 12, 1, 0}), map[uint64]int64{1: 1}},
		"grow":       {Cat(n, []byte{0x40, 0, 0x1a}), map[uint64]int64{1: 8192, 3: 3 * 8192, 1 << 31: 256 * 8192}},
	} {
		m := one(c.body, "")
		m.Funcs = []Func{{Export: "f", Params: I32, Body: c.body}, {}}
		for engine, r := range runtimes(t) {
			g := start(t, r, metered(t, m.Encode()))
			_, base, err := g.call(ample, "f", 0)
			if err != nil {
				t.Fatal(name, err)
			}
			for length, want := range c.cost {
				if _, used, err := g.call(ample, "f", length); err != nil || used-base != want {
					t.Errorf("%s, %s: a length of %d costs %d units, want %d (%v)", name, engine, length, used-base, want, err)
				}
			}
			g.close(t)
		}
	}
}
