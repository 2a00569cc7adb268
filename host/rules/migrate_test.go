package rules

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
)

// migrating is a plugin of schema 3 whose venued_migrate has that body, behind the writing of key "state" = "state".
func migrating(body ...byte) *asm {
	put := join(constI32(int32(abi.ScopeRegion)), constI64(0), constI32(dataAt), constI32(5), constI32(dataAt), constI32(5), []byte{opCall, 0, opDrop})
	a := newAsm(constI64(0)...).imported(abi.ImportModule, "kv_put", signature{i32 + i64 + i32 + i32 + i32 + i32, i32}).
		set("venued_migrate", signature{i32, i32}, join(put, body)...)
	a.data = []byte("state")
	a.manifest = strings.Replace(a.manifest, `"schema":0`, `"schema":3`, 1)
	return a
}

func TestMigrate(t *testing.T) {
	both(t, func(t *testing.T, e *Engine) {
		// It refuses every version but 2.
		in := testInstance(t, e, migrating(join([]byte{0x20, 0}, constI32(2), []byte{0x6b})...).bytes(), InstanceConfig{})
		kv := mapKV{}
		if err := in.Migrate(2, kv); err != nil {
			t.Fatal(err)
		}
		if want := map[string]string{"region/0/state": "state"}; !maps.Equal(want, kv.texts()) {
			t.Errorf("state %q, want %q", kv, want)
		}
		if _, err := in.Call(batch(1, 1e6), kv); err != nil {
			t.Fatal(err)
		}
		if in.used <= 0 || in.kv != nil {
			t.Errorf("%d units of fuel, state %v is open", in.used, in.kv)
		}
		for _, c := range []struct {
			body []byte
			want string
		}{
			{join([]byte{0x20, 0}, constI32(2), []byte{0x6b}), "venued_migrate(5) refused with 3: it cannot turn state of schema 5 into schema 3"},
			{[]byte{opUnreachable}, "venued_migrate: trap: unreachable"},
			{loop, "venued_migrate: fuel: it used more than 100 million units"},
		} {
			in := testInstance(t, e, migrating(c.body...).bytes(), InstanceConfig{})
			for again := range 2 { // it is made anew and fails in the same way
				if again > 0 && bytes.Equal(c.body, loop) {
					break // slow when it is interpreted
				}
				err := in.Migrate(5, mapKV{})
				var fault *abi.Fault
				if !errors.As(err, &fault) || fault.Kind != abi.FaultInit || !strings.Contains(fault.Message, c.want) {
					t.Fatalf("%v, want an init fault with %q", err, c.want)
				}
				if in.mod != nil || in.kv != nil {
					t.Fatal("the instance or its state is kept")
				}
			}
		}
	})
}

func TestMigrateNeedsAnExport(t *testing.T) {
	e := testEngine(t, Config{})
	in := testInstance(t, e, newAsm(constI64(0)...).bytes(), InstanceConfig{})
	if err := in.Migrate(4, mapKV{}); err == nil || !strings.Contains(err.Error(), `state is of schema 4, the module keeps schema 0, and it does not export "venued_migrate"`) {
		t.Error(err)
	}
	if in.mod == nil {
		t.Error("the instance is thrown away though nothing was called")
	}
	for want, a := range map[bool]*asm{false: newAsm(constI64(0)...), true: migrating(constI32(0)...)} {
		p, err := e.Load(context.Background(), "rule", a.bytes(), LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if p.Migrates() != want {
			t.Errorf("migrates: %v, want %v", p.Migrates(), want)
		}
	}
}

func (m mapKV) texts() map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = string(v)
	}
	return out
}
