package wasmtest

// expr makes code that leaves a value of a type.
func (g *generator) expr(typ string, depth int) []byte {
	g.budget--
	if depth <= 0 || g.budget <= 0 {
		return g.leaf(typ)
	}
	depth--
	switch g.r.IntN(17) {
	case 0, 1:
		return g.leaf(typ)
	case 2, 3, 4:
		return g.binary(typ, depth)
	case 5, 6:
		kinds := unary[typ]
		k := kinds[g.r.IntN(len(kinds))]
		op := k.ops[g.r.IntN(len(k.ops))]
		out := g.expr(k.from, depth)
		if t, ok := showsBits[op]; ok {
			out = append(out, g.hide(t)...)
		}
		return append(out, op...)
	case 7:
		a := loads[typ][g.r.IntN(len(loads[typ]))]
		return Cat(g.address(depth), []byte{a.op}, g.memarg(a.align))
	case 8:
		return Cat(g.expr(typ, depth), g.expr(typ, depth), g.expr(I32, depth), []byte{0x1b})
	case 9:
		if i, ok := g.local(typ); ok {
			return Cat(g.expr(typ, depth), Op(0x22, i))
		}
	case 10:
		return Cat(g.expr(I32, depth), []byte{0x04, typ[0]}, g.labelled(typ, func() []byte {
			return Cat(g.body(typ, depth), []byte{0x05}, g.body(typ, depth))
		}), []byte{0x0b})
	case 11:
		return Cat([]byte{0x02, typ[0]}, g.labelled(typ, func() []byte { return g.body(typ, depth) }), []byte{0x0b})
	case 12:
		return g.call(typ, depth)
	case 13:
		if typ == I32 {
			if g.r.IntN(3) == 0 {
				return Cat(ConstI32(int32(g.r.IntN(3))), []byte{0x40, 0})
			}
			return []byte{0x3f, 0}
		}
		return g.severalValues(typ, depth)
	case 14:
		return g.carried(typ, depth)
	case 15:
		return g.switched(typ, depth)
	case 16:
		return g.either(typ, depth)
	}
	return g.leaf(typ)
}

// leaf makes a value without others.
func (g *generator) leaf(typ string) []byte {
	switch g.r.IntN(3) {
	case 0:
		if i, ok := g.local(typ); ok {
			return Op(0x20, i)
		}
	case 1:
		if i, ok := g.global(typ); ok {
			return Op(0x23, i)
		}
	}
	return g.constant(typ)
}

func (g *generator) binary(typ string, depth int) []byte {
	kinds := binaries[typ]
	k := kinds[g.r.IntN(len(kinds))]
	op := k.first + byte(g.r.IntN(int(k.last-k.first)+1))
	out := Cat(g.expr(k.operands, depth), g.expr(k.operands, depth))
	if t, ok := showsBits[string(op)]; ok {
		out = append(out, g.hide(t)...)
	}
	return append(out, op)
}

// severalValues makes a block that takes a value and leaves two, one of which stays.
func (g *generator) severalValues(typ string, depth int) []byte {
	from := g.anyType()
	index := S(int64(g.m.Type(from, typ+from)))
	return Cat(g.expr(from, depth), []byte{0x02}, index, g.labelled(typ+from, func() []byte {
		return Cat([]byte{0x1a}, g.body(typ+from, depth))
	}), []byte{0x0b, 0x1a})
}

// carried makes a loop that takes a value from one turn to the next and leaves it at the end.
func (g *generator) carried(typ string, depth int) []byte {
	i, ok := g.local(I32)
	if !ok {
		return g.leaf(typ)
	}
	first := g.expr(typ, depth)
	return Cat(ConstI32(int32(1+g.r.IntN(5))), Op(0x21, i), first, []byte{0x03}, S(int64(g.m.Type(typ, typ))), g.labelled(typ, func() []byte {
		return Cat([]byte{0x1a}, g.body(typ, depth))
	}), Op(0x20, i), ConstI32(1), []byte{0x6b}, Op(0x22, i), ConstI32(0), []byte{0x4a, 0x0d, 0, 0x0b})
}

// switched makes a switch that takes a value to one of several blocks, each of which goes on with it or with another.
func (g *generator) switched(typ string, depth int) []byte {
	n := 1 + g.r.IntN(4)
	var out []byte
	for range n {
		out = append(out, 0x02, typ[0])
		g.labels = append(g.labels, typ)
	}
	out = Cat(out, g.expr(typ, depth), g.expr(I32, depth), []byte{0x0e}, U(uint64(n)))
	for range n + 1 {
		out = append(out, byte(g.r.IntN(n)))
	}
	for range n {
		g.labels = g.labels[:len(g.labels)-1]
		out = append(out, 0x0b)
		if g.r.IntN(2) == 0 {
			out = Cat(out, []byte{0x1a}, g.expr(typ, min(depth, 1)))
		}
	}
	return out
}

// either makes an if that takes a value and leaves two, one of which stays.
func (g *generator) either(typ string, depth int) []byte {
	from, more := g.anyType(), g.anyType()
	value := g.expr(from, depth)
	branch := func() []byte {
		return g.labelled(typ+more, func() []byte { return Cat([]byte{0x1a}, g.body(typ+more, depth)) })
	}
	return Cat(value, g.expr(I32, depth), []byte{0x04}, S(int64(g.m.Type(from, typ+more))), branch(), []byte{0x05}, branch(), []byte{0x0b, 0x1a})
}

// labelled makes code inside of a block whose label carries those types.
func (g *generator) labelled(types string, code func() []byte) []byte {
	g.labels = append(g.labels, types)
	defer func() { g.labels = g.labels[:len(g.labels)-1] }()
	return code()
}

// call calls a function whose first result is of a type, directly or through the table, and drops the others.
func (g *generator) call(typ string, depth int) []byte {
	from := g.r.IntN(len(g.m.Funcs))
	for k := range g.m.Funcs {
		i := (from + k) % len(g.m.Funcs)
		if f := g.m.Funcs[i]; f.Results != "" && f.Results[:1] == typ {
			out := Cat(g.arguments(f.Params, depth), g.callee(i))
			for range len(f.Results) - 1 {
				out = append(out, 0x1a)
			}
			return out
		}
	}
	return g.leaf(typ)
}

func (g *generator) arguments(params string, depth int) (out []byte) {
	for i := range len(params) {
		out = append(out, g.expr(params[i:i+1], min(depth, 1))...)
	}
	return out
}

func (g *generator) callee(i int) []byte {
	if g.r.IntN(3) > 0 {
		return Op(0x10, uint32(i))
	}
	f := g.m.Funcs[i]
	at := i
	if g.r.IntN(20) == 0 {
		at = g.r.IntN(25) // another type, an empty entry, or outside of the table
	}
	return Cat(ConstI32(int32(at)), []byte{0x11}, U(uint64(g.m.Type(f.Params, f.Results))), []byte{0})
}

// statement makes code that leaves nothing.
func (g *generator) statement(depth int) []byte {
	g.budget--
	if depth <= 0 || g.budget <= 0 {
		return []byte{0x01}
	}
	depth--
	switch g.r.IntN(16) {
	case 0, 1, 2:
		typ := g.anyType()
		if i, ok := g.local(typ); ok {
			return Cat(g.expr(typ, depth), Op(0x21, i))
		}
	case 3:
		typ := g.anyType()
		if i, ok := g.global(typ); ok {
			return Cat(g.expr(typ, depth), Op(0x24, i))
		}
	case 4, 5:
		typ := g.anyType()
		a := stores[typ][g.r.IntN(len(stores[typ]))]
		value := g.expr(typ, depth)
		if typ == F32 || typ == F64 {
			value = append(value, g.hide(typ)...)
		}
		return Cat(g.address(depth), value, []byte{a.op}, g.memarg(a.align))
	case 6:
		out := Cat(g.expr(I32, depth), []byte{0x04, 0x40})
		return Cat(out, g.labelled("", func() []byte {
			inner := g.body("", depth)
			if g.r.IntN(2) == 0 {
				inner = Cat(inner, []byte{0x05}, g.body("", depth))
			}
			return inner
		}), []byte{0x0b})
	case 7:
		return Cat([]byte{0x02, 0x40}, g.labelled("", func() []byte { return g.body("", depth) }), []byte{0x0b})
	case 8, 9:
		return g.loop(depth)
	case 10:
		return g.branch(depth)
	case 11:
		return g.table(depth)
	case 12:
		i := g.r.IntN(len(g.m.Funcs))
		f := g.m.Funcs[i]
		out := Cat(g.arguments(f.Params, depth), g.callee(i))
		for range f.Results {
			out = append(out, 0x1a)
		}
		return out
	case 13:
		return g.bulk(depth)
	case 14:
		return append(g.expr(g.anyType(), depth), 0x1a)
	case 15:
		if g.r.IntN(12) == 0 {
			return []byte{0x00}
		}
	}
	return []byte{0x01}
}

// loop makes a loop that ends by a count, or one that ends when a value says so.
func (g *generator) loop(depth int) []byte {
	body := func() []byte { return g.labelled("", func() []byte { return g.body("", depth) }) }
	i, ok := g.local(I32)
	if !ok || g.r.IntN(8) == 0 {
		return Cat([]byte{0x03, 0x40}, g.labelled("", func() []byte { return Cat(g.body("", depth), g.expr(I32, depth)) }), []byte{0x0d, 0, 0x0b})
	}
	return Cat(ConstI32(int32(1+g.r.IntN(6))), Op(0x21, i), []byte{0x03, 0x40}, body(),
		Op(0x20, i), ConstI32(1), []byte{0x6b}, Op(0x22, i), ConstI32(0), []byte{0x4a, 0x0d, 0, 0x0b})
}

// branch makes a branch or a return, mostly one that is taken sometimes. Behind one that is always taken the code goes on, unreached.
func (g *generator) branch(depth int) []byte {
	if g.r.IntN(10) == 0 {
		return Cat([]byte{0x02, 0x40}, g.labelled("", func() []byte { return g.body(g.result, depth) }), []byte{0x0f, 0x0b})
	}
	to := g.r.IntN(len(g.labels))
	types := g.labels[len(g.labels)-1-to]
	values := func() (out []byte) {
		for i := range len(types) {
			out = append(out, g.expr(types[i:i+1], depth)...)
		}
		return out
	}
	if g.r.IntN(6) == 0 {
		// In a block of its own, so that the code behind it is well typed in any case.
		return Cat([]byte{0x02, 0x40}, g.labelled("", values), Op(0x0c, uint32(to+1)), []byte{0x0b})
	}
	out := Cat(values(), g.expr(I32, depth), Op(0x0d, uint32(to)))
	for range len(types) {
		out = append(out, 0x1a)
	}
	return out
}

// table makes a switch over nested blocks.
func (g *generator) table(depth int) []byte {
	n := 1 + g.r.IntN(4)
	out := []byte{}
	for range n {
		out = append(out, 0x02, 0x40)
		g.labels = append(g.labels, "")
	}
	out = Cat(out, g.expr(I32, depth), []byte{0x0e}, U(uint64(n)))
	for range n + 1 {
		out = append(out, byte(g.r.IntN(n)))
	}
	for range n {
		g.labels = g.labels[:len(g.labels)-1]
		out = Cat(out, []byte{0x0b}, g.statement(depth))
	}
	return out
}

// bulk makes an operation on many bytes or entries.
func (g *generator) bulk(depth int) []byte {
	small := func(n int) []byte {
		if g.r.IntN(30) == 0 {
			return g.expr(I32, depth)
		}
		return ConstI32(int32(g.r.IntN(n)))
	}
	switch g.r.IntN(7) {
	case 0, 1:
		return Cat(g.address(depth), g.address(depth), small(1000), []byte{0xfc, 10, 0, 0})
	case 2, 3:
		return Cat(g.address(depth), g.expr(I32, depth), small(1000), []byte{0xfc, 11, 0})
	case 4:
		return Cat(g.address(depth), small(20), small(20), []byte{0xfc, 8, 1, 0})
	case 5:
		return Cat(small(6), small(2), small(2), []byte{0xfc, 12, 1, 0})
	default:
		switch g.r.IntN(16) {
		case 0, 1:
			return []byte{0xfc, 9, 1}
		case 2:
			return []byte{0xfc, 13, byte(g.r.IntN(2))}
		}
		return Cat(small(3), small(3), small(2), []byte{0xfc, 14, 0, 0})
	}
}
