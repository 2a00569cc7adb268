package rules

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/venued/venued/abi"
)

// hostFunction is a function that guests may import. It finds its parameters in stack and
// leaves its result in stack[0]. Values of i32 carry garbage in their upper half: take
// uint32(stack[i]).
type hostFunction struct {
	signature
	run func(in *Instance, mem api.Memory, stack []uint64)
}

// hostModules is everything that a guest may import, by module and name.
var hostModules = map[string]map[string]hostFunction{
	abi.ImportModule: {
		"log":    {signature{i32 + i32, ""}, hostLog},
		"abort":  {signature{i32 + i32, ""}, hostAbort},
		"kv_get": {signature{i32 + i64 + i32 + i32 + i32 + i32, i32}, hostKVGet},
		"kv_put": {signature{i32 + i64 + i32 + i32 + i32 + i32, i32}, hostKVPut},
		"kv_del": {signature{i32 + i64 + i32 + i32, i32}, hostKVDel},
	},
	wasiModule: wasiFunctions,
}

// instanceKey finds the Instance that is running in a call's context.
type instanceKey struct{}

// instantiateHost makes one host module of a runtime.
func instantiateHost(ctx context.Context, r wazero.Runtime, module string) error {
	b := r.NewHostModuleBuilder(module)
	for name, f := range hostModules[module] {
		run := f.run
		b = b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
			run(ctx.Value(instanceKey{}).(*Instance), m.Memory(), stack)
		}), valueTypes(f.Params), valueTypes(f.Results)).Export(name)
	}
	if _, err := b.Instantiate(ctx); err != nil {
		return fmt.Errorf("rules: host module %s: %w", module, err)
	}
	return nil
}

func valueTypes(types string) []api.ValueType { return []api.ValueType(types) }

// abortError ends a call by the guest's own wish.
type abortError struct{ message string }

func (e *abortError) Error() string { return e.message }

// errBadPointer ends a call that gave abort or log a pointer outside its memory.
var errBadPointer = errors.New("a pointer outside the module's memory")

func hostLog(in *Instance, mem api.Memory, stack []uint64) {
	line, ok := mem.Read(uint32(stack[0]), min(uint32(stack[1]), maxLogLine))
	if !ok {
		panic(fmt.Errorf("log: %w", errBadPointer))
	}
	in.charge(len(line))
	in.logLine(line)
}

func hostAbort(in *Instance, mem api.Memory, stack []uint64) {
	message, ok := mem.Read(uint32(stack[0]), min(uint32(stack[1]), maxLogLine))
	if !ok {
		panic(fmt.Errorf("abort: %w", errBadPointer))
	}
	panic(&abortError{escape(message)})
}

// charge takes off the fuel what copying bytes takes beyond a call as such; a guest that has none left is stopped when it goes on.
func (in *Instance) charge(bytes int) {
	const bytesPerUnit = 8
	in.fuel.Set(in.fuel.Get() - uint64(bytes/bytesPerUnit))
}

// key reads the scope, subject and key of a kv call, or a negative KV number.
func (in *Instance) key(mem api.Memory, stack []uint64) (abi.Scope, uint64, string, int) {
	scope := uint32(stack[0])
	if in.kv == nil || scope < uint32(abi.ScopeObject) || scope > uint32(abi.ScopeVenue) {
		return 0, 0, "", abi.KVScope
	}
	n := uint32(stack[3])
	if n > abi.MaxKey {
		return 0, 0, "", abi.KVTooLarge
	}
	k, ok := mem.Read(uint32(stack[2]), n)
	if !ok {
		return 0, 0, "", abi.KVMemory
	}
	in.charge(len(k))
	return abi.Scope(scope), stack[1], in.intern(k), 0
}

func hostKVGet(in *Instance, mem api.Memory, stack []uint64) {
	scope, subject, key, code := in.key(mem, stack)
	if code < 0 {
		stack[0] = result(code)
		return
	}
	value, code := in.kv.Get(scope, subject, key)
	if code < 0 {
		stack[0] = result(code)
		return
	}
	if room := uint32(stack[5]); uint64(len(value)) <= uint64(room) {
		in.charge(len(value))
		if !mem.Write(uint32(stack[4]), value) {
			stack[0] = result(abi.KVMemory)
			return
		}
	}
	stack[0] = result(len(value))
}

func hostKVPut(in *Instance, mem api.Memory, stack []uint64) {
	scope, subject, key, code := in.key(mem, stack)
	if code == 0 {
		if n := uint32(stack[5]); n > abi.MaxValue {
			code = abi.KVTooLarge
		} else if value, ok := mem.Read(uint32(stack[4]), n); !ok {
			code = abi.KVMemory
		} else {
			in.charge(len(value))
			code = in.kv.Put(scope, subject, key, append([]byte(nil), value...))
		}
	}
	stack[0] = result(code)
}

func hostKVDel(in *Instance, mem api.Memory, stack []uint64) {
	scope, subject, key, code := in.key(mem, stack)
	if code == 0 {
		code = in.kv.Del(scope, subject, key)
	}
	stack[0] = result(code)
}

func result(code int) uint64 { return uint64(uint32(int32(code))) }
