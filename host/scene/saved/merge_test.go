package saved

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
)

// merging declares a key of the region for every operator, and one of users and objects.
var merging = &abi.Manifest{State: []abi.StateKey{
	{Key: "sum", Scope: "region", Merge: abi.MergeSum}, {Key: "max", Scope: "region", Merge: abi.MergeMax},
	{Key: "min", Scope: "region", Merge: abi.MergeMin}, {Key: "or", Scope: "region", Merge: abi.MergeOr},
	{Key: "keep", Scope: "region"}, {Key: "newest", Scope: "region", Merge: abi.MergeNewest},
	{Key: "wins", Scope: "user", Merge: abi.MergeSum}, {Key: "cup", Scope: "object"}, {Key: "all", Scope: "venue"},
}}

func number(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }

func contents(ks *Keyspace) map[KeyName]string {
	out := map[KeyName]string{}
	for k, v := range ks.All() {
		out[k] = string(v)
	}
	return out
}

// ordered are the operators whose results depend on no order.
var ordered = []string{"sum", "max", "min", "or"}

func drawKeys(t *rapid.T) *Keyspace {
	ks := newKeyspace()
	for _, key := range ordered {
		if rapid.Bool().Draw(t, key) {
			ks.set(KeyName{Scope: abi.ScopeRegion, Key: key}, number(rapid.Int64().Draw(t, key+" value")), rapid.Uint64Range(1, 9).Draw(t, "tick"), false)
		}
	}
	for _, who := range []string{"ann", "ben"} {
		if rapid.Bool().Draw(t, who) {
			ks.set(KeyName{Scope: abi.ScopeUser, Who: Person{User: who}, Key: "wins"}, number(rapid.Int64Range(0, 9).Draw(t, "wins")), 1, false)
		}
	}
	return ks
}

// TestMergeOrder: with operators that promise it, regions may merge in any order and grouping.
func TestMergeOrder(t *testing.T) {
	merge := func(t *rapid.T, a, b *Keyspace) *Keyspace {
		out, err := MergeKeys(a, b, merging)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawKeys(t), drawKeys(t), drawKeys(t)
		before := contents(a)
		one := merge(t, merge(t, a, b), c)
		for _, other := range []*Keyspace{merge(t, a, merge(t, b, c)), merge(t, merge(t, c, a), b), merge(t, b, merge(t, c, a))} {
			if d := cmp.Diff(contents(one), contents(other)); d != "" {
				t.Fatal(d)
			}
			if one.Size() != other.Size() || one.Sum() != other.Sum() {
				t.Fatalf("sizes %d and %d, sums %x and %x", one.Size(), other.Size(), one.Sum(), other.Sum())
			}
		}
		if d := cmp.Diff(before, contents(a)); d != "" {
			t.Fatalf("merging changed what it was given: %s", d)
		}
	})
}

func TestMergeKeeps(t *testing.T) {
	region := func(key string) KeyName { return KeyName{Scope: abi.ScopeRegion, Key: key} }
	a, b := newKeyspace(), newKeyspace()
	for _, key := range []string{"keep", "newest", "undeclared"} {
		a.set(region(key), []byte("a"), 5, false)
		b.set(region(key), []byte("b"), 6, false)
	}
	a.set(region("sum"), []byte("no number"), 5, false)
	b.set(region("sum"), number(1), 5, false)
	a.set(KeyName{Scope: abi.ScopeObject, Subject: 1, Key: "cup"}, []byte("one"), 1, false)
	b.set(KeyName{Scope: abi.ScopeObject, Subject: 2, Key: "cup"}, []byte("two"), 1, false)
	got, err := MergeKeys(a, b, merging)
	if err == nil || !strings.Contains(err.Error(), `key "sum" of scope region`) || !strings.Contains(err.Error(), "want 8") {
		t.Errorf("a value that cannot be added: %v", err)
	}
	want := map[KeyName]string{
		region("keep"): "a", region("newest"): "b", region("undeclared"): "a", region("sum"): "no number",
		{Scope: abi.ScopeObject, Subject: 1, Key: "cup"}: "one", {Scope: abi.ScopeObject, Subject: 2, Key: "cup"}: "two",
	}
	if d := cmp.Diff(want, contents(got)); d != "" {
		t.Error(d)
	}
	again, _ := MergeKeys(b, got, merging)
	if v, _ := again.Value(region("newest")); string(v) != "b" {
		t.Errorf("the newest of a merged value and an older one is %q, want b", v)
	}
}

// TestSplitThenMerge: what a region splits into makes the same again.
func TestSplitThenMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ks := drawKeys(t)
		ks.set(KeyName{Scope: abi.ScopeVenue, Key: "all"}, []byte("x"), 1, false)
		ks.set(KeyName{Scope: abi.ScopeRegion, Key: "keep"}, []byte("y"), 1, false)
		ks.set(KeyName{Scope: abi.ScopeObject, Subject: 7, Key: "cup"}, []byte("z"), 1, false)
		moved := rapid.SampledFrom([]string{"", "ann", "ben"}).Draw(t, "moves")
		stays, goes := SplitKeys(ks, merging, func(k *KeyName) bool { return k.Subject == 7 || k.Who.User == moved && moved != "" })
		if _, there := goes.Value(KeyName{Scope: abi.ScopeVenue, Key: "all"}); there {
			t.Fatal("a key of the venue went to the new region")
		}
		if _, there := stays.Value(KeyName{Scope: abi.ScopeObject, Subject: 7, Key: "cup"}); there {
			t.Fatal("an object's key stayed behind")
		}
		for _, key := range []string{"keep", "max"} {
			_, a := stays.Value(KeyName{Scope: abi.ScopeRegion, Key: key})
			_, b := goes.Value(KeyName{Scope: abi.ScopeRegion, Key: key})
			if a != b {
				t.Fatalf("key %s of the region is in one of its parts only", key)
			}
		}
		back, err := MergeKeys(stays, goes, merging)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(contents(ks), contents(back)); d != "" {
			t.Fatal(d)
		}
	})
}

// TestForks: a copy of a rule's state comes back as it was, and people who left meanwhile are counted among the absent again.
func TestForks(t *testing.T) {
	d := New()
	key := func(user, value string, deleted bool) Key {
		return Key{Rule: "r", Scope: abi.ScopeUser, User: user, Key: []byte("k"), Value: []byte(value), Deleted: deleted}
	}
	d.Apply(&Record{Tick: 1, Users: []User{{Session: 1, ID: 1, User: "ann"}, {Session: 2, ID: 2, User: "ben"}}, Keys: []Key{key("ann", "1", false), key("ben", "1", false)},
		Timers: []Timer{{Rule: "r", ID: 1, DueUS: 9}, {Rule: "other", ID: 1, DueUS: 9}}, Schemas: []Schema{{"r", 1}}}, 10)
	before := contents(d.Keyspace("r"))
	d.Apply(&Record{Tick: 2, Forks: []Fork{{Rule: "r", Op: ForkKeep, Schema: 1}}, Keys: []Key{key("ann", "22", false)}, Schemas: []Schema{{"r", 2}}}, 10)
	d.Apply(&Record{Tick: 3, Keys: []Key{key("ben", "", true)}, Timers: []Timer{{Rule: "r", ID: 1, DueUS: 9, Off: true}, {Rule: "r", ID: 2, DueUS: 9}}}, 10)
	d.Apply(&Record{Tick: 4, Left: []Leave{{Session: 2, User: "ben", Tick: 4}}}, 10)
	if f := d.Fork("r"); f == nil || f.Schema != 1 || d.Schemas["r"] != 2 || len(d.Gone) != 0 {
		t.Fatalf("fork %+v, schema %d, gone %v", f, d.Schemas["r"], d.Gone)
	}
	b, err := d.Encode("v", "r")
	if err != nil {
		t.Fatal(err)
	}
	if d, err = Decode(b, "v", "r"); err != nil {
		t.Fatal(err)
	}
	d.Apply(&Record{Tick: 5, Forks: []Fork{{Rule: "r", Op: ForkBack}}}, 10)
	if diff := cmp.Diff(before, contents(d.Keyspace("r"))); diff != "" {
		t.Error(diff)
	}
	if len(d.TimersOf("r")) != 1 || d.TimersOf("r")[0].ID != 1 || len(d.TimersOf("other")) != 1 || d.Schemas["r"] != 1 || d.Fork("r") != nil {
		t.Errorf("timers %+v, schema %d, fork %v", d.TimersInOrder(), d.Schemas["r"], d.Fork("r"))
	}
	if want := []Departure{{Person{User: "ben"}, 5}}; !cmp.Equal(want, d.Gone) {
		t.Errorf("gone are %v, want ben", d.Gone)
	}
	d.Apply(&Record{Tick: 6, Forks: []Fork{{Rule: "r", Op: ForkBack}, {Rule: "r", Op: ForkKeep}, {Rule: "r", Op: ForkDrop}}}, 10)
	if diff := cmp.Diff(before, contents(d.Keyspace("r"))); diff != "" || d.Fork("r") != nil {
		t.Errorf("a fork that is not there came back: %s", diff)
	}
}
