package recording

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
)

// Frame is one tick.
type Frame struct {
	Tick    uint64
	Swaps   []Swap         // between the tick before and this one
	Inputs  []stream.Input // with pseudonyms, as given to Step
	Calls   []Call         // of rules, in order
	Effects Effects
}

// Call is one call of a rule and what the rule answered.
type Call struct {
	Rule  int      // index of the header's rules
	Batch Text     // what it was asked
	Ops   []Op     // what it wrote into its state, in order; none of a call that failed
	Out   Text     // its commands
	Fault *Fault   // or how it failed
	From  int      // Migrate: the schema version it was asked to leave
	Kind  CallKind // what was called
}

// CallKind says what of a rule was called.
type CallKind uint8

// Kinds of call.
const (
	CallTick    CallKind = 0
	CallMigrate CallKind = 1
)

// Fault is a failed call.
type Fault struct {
	Kind    abi.FaultKind
	Plugin  string
	Message Text
}

// Op is one write of a rule into its state.
type Op struct {
	Delete  bool
	Scope   abi.Scope
	Subject uint64
	Key     Text
	Value   Text
}

// Swap is another module in a rule's place.
type Swap struct {
	Rule    int               // index of the header's rules
	Module  Module            // the new one
	Options scene.SwapOptions // as given to SwapRule
	Calls   []Call            // its migration
}

// Module names what decided for a rule.
type Module struct {
	Digest   string        `json:"digest"` // SHA-256 of the module, hex
	Manifest *abi.Manifest `json:"manifest"`
}

// swapInfo is a Swap without its calls, as it is written.
type swapInfo struct {
	Module
	Options scene.SwapOptions `json:"options"`
}

// append encodes a frame of a recording with so many parts.
func (f *Frame) append(dst []byte) ([]byte, error) {
	dst = binary.AppendUvarint(dst, f.Tick)
	dst = binary.AppendUvarint(dst, uint64(len(f.Swaps)))
	for i := range f.Swaps {
		s := &f.Swaps[i]
		info, err := json.Marshal(swapInfo{s.Module, s.Options})
		if err != nil {
			return dst, err
		}
		dst = appendBytes(binary.AppendUvarint(dst, uint64(s.Rule)), info)
		dst = appendCalls(dst, s.Calls)
	}
	dst = appendBytes(dst, stream.AppendInputs(nil, stream.BatchHeader{}, f.Inputs))
	dst = appendCalls(dst, f.Calls)
	for _, sum := range f.Effects.Sums {
		dst = binary.LittleEndian.AppendUint64(dst, sum)
	}
	dst = binary.AppendUvarint(dst, uint64(len(f.Effects.Texts)))
	for _, t := range f.Effects.Texts {
		dst = appendText(dst, t)
	}
	return dst, nil
}

func appendCalls(dst []byte, calls []Call) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(calls)))
	for i := range calls {
		c := &calls[i]
		dst = append(binary.AppendUvarint(dst, uint64(c.Rule)), byte(c.Kind))
		if c.Kind == CallMigrate {
			dst = binary.AppendVarint(dst, int64(c.From))
		} else {
			dst = appendText(dst, c.Batch)
		}
		if c.Fault != nil {
			dst = append(dst, 1)
			dst = appendText(appendBytes(appendBytes(dst, string(c.Fault.Kind)), c.Fault.Plugin), c.Fault.Message)
			continue
		}
		dst = append(dst, 0)
		dst = appendText(dst, c.Out)
		dst = binary.AppendUvarint(dst, uint64(len(c.Ops)))
		for j := range c.Ops {
			o := &c.Ops[j]
			del := byte(0)
			if o.Delete {
				del = 1
			}
			dst = binary.AppendUvarint(append(dst, del, byte(o.Scope)), o.Subject)
			dst = appendText(dst, o.Key)
			if !o.Delete {
				dst = appendText(dst, o.Value)
			}
		}
	}
	return dst
}

// frame reads what append wrote. Its texts share the reader's memory.
func (r *bytesReader) frame(rules, parts int) Frame {
	r.items = 0
	f := Frame{Tick: r.uint("tick")}
	for range r.count("swaps", 4) {
		s := Swap{Rule: r.rule(rules)}
		var info swapInfo
		text := r.bytes("swap")
		if r.err == nil {
			if err := json.Unmarshal(text, &info); err != nil {
				r.fail("swap", "%v", err)
			} else if info.Manifest == nil {
				r.fail("swap", "no manifest")
			}
		}
		if r.err != nil {
			return f
		}
		s.Module, s.Options, s.Calls = info.Module, info.Options, r.calls(rules)
		f.Swaps = append(f.Swaps, s)
	}
	if batch := r.bytes("inputs"); r.err == nil {
		var h stream.BatchHeader
		var err error
		if f.Inputs, err = stream.DecodeInputs(batch, &h, nil); err != nil {
			r.fail("inputs", "%v", err)
		}
	}
	f.Calls = r.calls(rules)
	if r.err == nil && len(r.b) < 8*parts {
		r.fail("effects", "cut short")
	}
	for range parts {
		if r.err != nil {
			return f
		}
		f.Effects.Sums = append(f.Effects.Sums, r.fixed("effects"))
	}
	for range r.count("texts", 2) {
		f.Effects.Texts = append(f.Effects.Texts, r.text("text"))
		if !r.item("text") {
			return f
		}
	}
	return f
}

func (r *bytesReader) rule(rules int) int {
	n := r.uint("rule")
	if r.err == nil && n >= uint64(rules) {
		r.fail("rule", "%d of %d", n, rules)
		return 0
	}
	return int(n)
}

func (r *bytesReader) calls(rules int) []Call {
	var out []Call
	for range r.count("calls", 4) {
		c := Call{Rule: r.rule(rules)}
		switch c.Kind = CallKind(r.byte("kind of call")); c.Kind {
		case CallTick:
			c.Batch = r.text("batch")
		case CallMigrate:
			c.From = int(r.int("from"))
		default:
			r.fail("kind of call", "%d", c.Kind)
		}
		switch result := r.byte("result"); result {
		case 0:
			c.Out = r.text("commands")
			c.Ops = r.ops()
		case 1:
			c.Fault = &Fault{Kind: abi.FaultKind(r.bytes("fault")), Plugin: string(r.bytes("plugin")), Message: r.text("message")}
		default:
			r.fail("result", "%d", result)
		}
		if !r.item("call") {
			return out
		}
		out = append(out, c)
	}
	return out
}

func (r *bytesReader) ops() []Op {
	var out []Op
	for range r.count("writes", 5) {
		del := r.byte("write")
		o := Op{Delete: del == 1, Scope: abi.Scope(r.byte("scope")), Subject: r.uint("subject"), Key: r.text("key")}
		if del > 1 {
			r.fail("write", "%d", del)
		}
		if !o.Delete {
			o.Value = r.text("value")
		}
		if !r.item("write") {
			return out
		}
		out = append(out, o)
	}
	return out
}

// String names the call's kind.
func (k CallKind) String() string {
	switch k {
	case CallTick:
		return "tick"
	case CallMigrate:
		return "migrate"
	}
	return fmt.Sprintf("call %d", uint8(k))
}
