package storetest

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/store"
)

// Version returns a version of a name, of a module.
func Version(name, version, by string, module []byte) store.RuleVersion {
	return store.RuleVersion{
		Name: name, Version: version, Digest: store.Digest(module), Size: len(module), By: by, AtUnixMS: 1_700_000_000_000,
		Class: "small", Manifest: []byte(`{"name":"` + name + `"}`),
	}
}

// rulesLikeMemory makes the same random uploads and assignments to the backend and to a Memory.
func rulesLikeMemory(t *testing.T, open Open, fresh func(t *testing.T) string) {
	rapid.Check(t, func(rt *rapid.T) {
		place := fresh(t)
		b, m := open(rt, place), NewMemory(0)
		defer func() { b.Close() }()
		same := func(rt *rapid.T, what string, eb, em error) {
			if kind(eb) != kind(em) {
				rt.Fatalf("%s: backend %v, memory %v", what, eb, em)
			}
		}
		venue := rapid.SampledFrom([]string{"hall", "hal"})
		name := rapid.SampledFrom([]string{"quiz", "quiz-2", "door"})
		version := rapid.SampledFrom([]string{"1.0.0", "1.0.1", "2.0.0-dev", "2.0.0-dev.7", "2.0.0-device"})
		by := rapid.SampledFrom([]string{"admin", "ann"})
		module := rapid.SampledFrom([]string{"", "one", "two", "three"})
		digest := rapid.Custom(func(rt *rapid.T) string {
			switch s := module.Draw(rt, "of"); {
			case s != "":
				return store.Digest([]byte(s))
			case rapid.Bool().Draw(rt, "wrong"):
				return "no digest"
			}
			return ""
		})
		rt.Repeat(map[string]func(*rapid.T){
			"save": func(rt *rapid.T) {
				data := []byte(module.Draw(rt, "module"))
				v := Version(name.Draw(rt, "name"), version.Draw(rt, "version"), by.Draw(rt, "by"), data)
				if rapid.IntRange(0, 9).Draw(rt, "wrong") == 0 {
					v.Size++
				}
				if rapid.Bool().Draw(rt, "signed") {
					v.Signature, v.Key = []byte{1, 2, 3}, "key"
				}
				at := venue.Draw(rt, "venue")
				fb, eb := b.SaveVersion(ctx, at, v, data)
				fm, em := m.SaveVersion(ctx, at, v, data)
				same(rt, "SaveVersion", eb, em)
				if fb != fm {
					rt.Fatalf("fresh: backend %t, memory %t", fb, fm)
				}
			},
			"drop": func(rt *rapid.T) {
				at, n, v := venue.Draw(rt, "venue"), name.Draw(rt, "name"), version.Draw(rt, "version")
				same(rt, "DropVersion", b.DropVersion(ctx, at, n, v), m.DropVersion(ctx, at, n, v))
			},
			"assign": func(rt *rapid.T) {
				a := store.Assignment{
					Region: rapid.SampledFrom([]string{"main", "main-0", "m"}).Draw(rt, "region"), Rule: name.Draw(rt, "rule"),
					Current: digest.Draw(rt, "current"), Previous: digest.Draw(rt, "previous"),
				}
				for range rapid.IntRange(0, 3).Draw(rt, "changes") {
					a.History = append(a.History, store.Change{AtUnixMS: 5, Tick: rapid.Uint64().Draw(rt, "tick"), By: by.Draw(rt, "by"),
						Reason: "because", Returned: rapid.Bool().Draw(rt, "returned"), To: store.ModuleRef{Plugin: "quiz", Version: "1.0.0", Digest: a.Current, File: a.Current == ""}})
				}
				at := venue.Draw(rt, "venue")
				same(rt, "Assign", b.Assign(ctx, at, a), m.Assign(ctx, at, a))
			},
			"reopen": func(rt *rapid.T) {
				if err := b.Close(); err != nil {
					rt.Fatal(err)
				}
				b = open(rt, place)
			},
			"": func(rt *rapid.T) {
				for _, v := range []string{"hall", "hal", "never"} {
					nb, eb := b.Versions(ctx, v)
					nm, em := m.Versions(ctx, v)
					same(rt, "Versions", eb, em)
					if d := cmp.Diff(nm, nb, cmpopts.EquateEmpty()); d != "" {
						rt.Fatalf("versions of %s (-memory +backend):\n%s", v, d)
					}
					ab, eb := b.Assignments(ctx, v)
					am, em := m.Assignments(ctx, v)
					same(rt, "Assignments", eb, em)
					if d := cmp.Diff(am, ab, cmpopts.EquateEmpty()); d != "" {
						rt.Fatalf("assignments of %s (-memory +backend):\n%s", v, d)
					}
					for _, s := range []string{"", "one", "two", "three"} {
						mb, eb := b.Module(ctx, v, store.Digest([]byte(s)))
						mm, em := m.Module(ctx, v, store.Digest([]byte(s)))
						same(rt, "Module", eb, em)
						if string(mb) != string(mm) || eb == nil && string(mb) != s {
							rt.Fatalf("module %q: backend %q, memory %q", s, mb, mm)
						}
					}
				}
			},
		})
	})
}

// boardsLikeMemory adds the same random scores to the backend and to a Memory.
func boardsLikeMemory(t *testing.T, open Open, fresh func(t *testing.T) string) {
	rapid.Check(t, func(rt *rapid.T) {
		place := fresh(t)
		b, m := open(rt, place), NewMemory(0)
		defer func() { b.Close() }()
		k := store.RegionKey{Venue: "hall", Region: "main"}
		lb, err := b.Acquire(ctx, k)
		if err != nil {
			rt.Fatal(err)
		}
		lm, err := m.Acquire(ctx, k)
		if err != nil {
			rt.Fatal(err)
		}
		partition := rapid.SampledFrom([]string{store.PartitionMain, store.PartitionLoad, "loa"})
		board := rapid.SampledFrom([]string{"quiz", "quiz-2", "q"})
		scores := func(rt *rapid.T) (list []store.Score) {
			for range rapid.IntRange(0, 3).Draw(rt, "scores") {
				list = append(list, store.Score{
					Board: board.Draw(rt, "board"), User: rapid.SampledFrom([]string{"ann", "ben", "a\x00n"}).Draw(rt, "user"),
					Partition: partition.Draw(rt, "partition"),
					Delta:     rapid.OneOf(rapid.Int64Range(-9, 9), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64})).Draw(rt, "delta"),
				})
			}
			return list
		}
		rt.Repeat(map[string]func(*rapid.T){
			"append": func(rt *rapid.T) {
				var records []store.Record
				tick := rapid.Uint64Range(0, 40).Draw(rt, "from")
				for range rapid.IntRange(1, 3).Draw(rt, "n") {
					records = append(records, store.Record{Tick: tick, Data: []byte(fmt.Sprint(tick)), Scores: scores(rt)})
					tick++
				}
				for range rapid.IntRange(1, 2).Draw(rt, "times") {
					if eb, em := b.Append(ctx, lb, records), m.Append(ctx, lm, records); kind(eb) != kind(em) {
						rt.Fatalf("Append: backend %v, memory %v", eb, em)
					}
				}
			},
			"snapshot": func(rt *rapid.T) {
				s := store.NewSnapshot(rapid.Uint64Range(0, 40).Draw(rt, "tick"), 1, nil)
				s.Scores = scores(rt)
				for range rapid.IntRange(1, 2).Draw(rt, "times") {
					if eb, em := b.SaveSnapshot(ctx, lb, s), m.SaveSnapshot(ctx, lm, s); kind(eb) != kind(em) {
						rt.Fatalf("SaveSnapshot: backend %v, memory %v", eb, em)
					}
				}
			},
			"reopen": func(rt *rapid.T) {
				if err := b.Close(); err != nil {
					rt.Fatal(err)
				}
				b = open(rt, place)
			},
			"": func(rt *rapid.T) {
				for _, p := range []string{store.PartitionMain, store.PartitionLoad, "loa", "none"} {
					lb, eb := b.Boards(ctx, "hall", p)
					lm, em := m.Boards(ctx, "hall", p)
					if d := cmp.Diff(lm, lb, cmpopts.EquateEmpty()); d != "" || eb != nil || em != nil {
						rt.Fatalf("boards of %q, %v, %v (-memory +backend):\n%s", p, eb, em, d)
					}
					for _, name := range []string{"quiz", "quiz-2", "q", "none"} {
						tb, nb, eb := b.Board(ctx, "hall", p, name, 2)
						tm, nm, em := m.Board(ctx, "hall", p, name, 2)
						if d := cmp.Diff(tm, tb, cmpopts.EquateEmpty()); d != "" || nb != nm || eb != nil || em != nil {
							rt.Fatalf("board %s of %q: %d, %d people, %v, %v (-memory +backend):\n%s", name, p, nb, nm, eb, em, d)
						}
					}
				}
			},
		})
	})
}

// scoresCountOnce: the same records again, and a refused call, add nothing.
func scoresCountOnce(t *testing.T, open Open, place string) {
	b := open(t, place)
	defer func() { b.Close() }()
	l, err := b.Acquire(ctx, store.RegionKey{Venue: "hall", Region: "main"})
	if err != nil {
		t.Fatal(err)
	}
	ten := func(tick uint64) store.Record {
		return store.Record{Tick: tick, Data: []byte("ten"), Scores: []store.Score{{Board: "quiz", User: "ann", Delta: 10}, {Board: "quiz", User: "ann", Delta: 1}}}
	}
	points := func() int64 {
		t.Helper()
		top, users, err := b.Board(ctx, "hall", store.PartitionMain, "quiz", 5)
		if err != nil || users != 1 || len(top) != 1 {
			t.Fatalf("%v, %d people, %v", top, users, err)
		}
		return top[0].Points
	}
	for range 3 {
		if err := b.Append(ctx, l, []store.Record{ten(1)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Append(ctx, l, []store.Record{ten(1), ten(2)}); err != nil {
		t.Fatal(err)
	}
	other := ten(2)
	other.Data = []byte("eleven")
	if err := b.Append(ctx, l, []store.Record{other, ten(3)}); !errors.Is(err, store.ErrTickOrder) {
		t.Fatal(err)
	}
	old := l
	if l, err = b.Acquire(ctx, l.Key); err != nil {
		t.Fatal(err)
	}
	if err := b.Append(ctx, old, []store.Record{ten(4)}); !errors.Is(err, store.ErrFenced) {
		t.Fatal(err)
	}
	if n := points(); n != 22 {
		t.Errorf("ann has %d points, want 22", n)
	}
	snap := store.NewSnapshot(4, 1, []byte("state"))
	snap.Scores = []store.Score{{Board: "quiz", User: "ann", Delta: 100}}
	late := store.NewSnapshot(3, 1, nil)
	late.Scores = snap.Scores
	if err := errors.Join(b.SaveSnapshot(ctx, l, snap), b.SaveSnapshot(ctx, l, snap)); err != nil {
		t.Fatal(err)
	}
	if err := b.SaveSnapshot(ctx, l, late); !errors.Is(err, store.ErrTickOrder) {
		t.Fatal(err)
	}
	if err := b.SaveSnapshot(ctx, old, store.Snapshot{Tick: 9, SHA256: late.SHA256, Scores: snap.Scores}); !errors.Is(err, store.ErrFenced) {
		t.Fatal(err)
	}
	if n := points(); n != 122 {
		t.Errorf("ann has %d points with those of a snapshot, want 122", n)
	}
	// A board too many is left out, and nothing else.
	var many []store.Score
	for i := range store.MaxBoards + 5 {
		many = append(many, store.Score{Board: fmt.Sprintf("b%d", i), User: "ben", Delta: 1})
	}
	many = append(many, store.Score{Board: "quiz", User: "ann", Delta: 1})
	if err := b.Append(ctx, l, []store.Record{{Tick: 5, Scores: many}}); err != nil {
		t.Fatal(err)
	}
	if list, err := b.Boards(ctx, "hall", store.PartitionMain); err != nil || len(list) != store.MaxBoards {
		t.Errorf("%d boards, %v", len(list), err)
	}
	if n := points(); n != 123 {
		t.Errorf("ann has %d points, want 123", n)
	}
}

func ruleLimits(t *testing.T, open Open, place string) {
	b := open(t, place)
	defer b.Close()
	l, err := b.Acquire(ctx, store.RegionKey{Venue: "hall", Region: "main"})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", store.MaxName+1)
	module := []byte("module")
	save := func(change func(v *store.RuleVersion)) error {
		v := Version("quiz", "1.0.0", "admin", module)
		change(&v)
		return second(b.SaveVersion(ctx, "hall", v, module))
	}
	score := func(s store.Score) error {
		return b.Append(ctx, l, []store.Record{{Tick: 1, Scores: []store.Score{s}}})
	}
	_, _, board := b.Board(ctx, "hall", "", "Quiz", 1)
	_, _, negative := b.Board(ctx, "hall", "", "quiz", -1)
	_, _, many := b.Board(ctx, "hall", "", "quiz", store.MaxTop+1)
	large := make([]byte, store.MaxModule+1)
	for name, c := range map[string]struct{ err, want error }{
		"venue empty":       {second(b.SaveVersion(ctx, "", Version("quiz", "1.0.0", "a", module), module)), store.ErrLimit},
		"module large":      {second(b.SaveVersion(ctx, "hall", Version("quiz", "1.0.0", "a", large), large)), store.ErrLimit},
		"name a path":       {save(func(v *store.RuleVersion) { v.Name = "../quiz" }), store.ErrLimit},
		"name empty":        {save(func(v *store.RuleVersion) { v.Name = "" }), store.ErrLimit},
		"name upper case":   {save(func(v *store.RuleVersion) { v.Name = "Quiz" }), store.ErrLimit},
		"version empty":     {save(func(v *store.RuleVersion) { v.Version = "" }), store.ErrLimit},
		"uploader empty":    {save(func(v *store.RuleVersion) { v.By = "" }), store.ErrLimit},
		"manifest large":    {save(func(v *store.RuleVersion) { v.Manifest = make([]byte, store.MaxManifest+1) }), store.ErrLimit},
		"dropped":           {save(func(v *store.RuleVersion) { v.Dropped = true }), store.ErrLimit},
		"digest":            {save(func(v *store.RuleVersion) { v.Digest = store.Digest(nil) }), store.ErrChecksum},
		"no such version":   {b.DropVersion(ctx, "hall", "quiz", "1.0.0"), store.ErrNotFound},
		"drop a path":       {b.DropVersion(ctx, "hall", "../quiz", "1.0.0"), store.ErrLimit},
		"no such module":    {second(b.Module(ctx, "hall", store.Digest(module))), store.ErrNotFound},
		"no digest":         {second(b.Module(ctx, "hall", "../../etc")), store.ErrNotFound},
		"assign empty":      {b.Assign(ctx, "hall", store.Assignment{Rule: "quiz"}), store.ErrLimit},
		"assign nothing":    {b.Assign(ctx, "hall", store.Assignment{Region: "main", Rule: "quiz", Current: store.Digest(module)}), store.ErrNotFound},
		"history long":      {b.Assign(ctx, "hall", store.Assignment{Region: "main", Rule: "quiz", History: make([]store.Change, store.MaxHistory+1)}), store.ErrLimit},
		"reason long":       {b.Assign(ctx, "hall", store.Assignment{Region: "main", Rule: "quiz", History: []store.Change{{Reason: string(make([]byte, store.MaxText+1))}}}), store.ErrLimit},
		"board's name":      {board, store.ErrLimit},
		"top negative":      {negative, store.ErrLimit},
		"top large":         {many, store.ErrLimit},
		"boards' partition": {second(b.Boards(ctx, "hall", long)), store.ErrLimit},
		"score's board":     {score(store.Score{Board: "a/b", User: "ann"}), store.ErrLimit},
		"score's user":      {score(store.Score{Board: "quiz"}), store.ErrLimit},
		"score's partition": {score(store.Score{Board: "quiz", User: "ann", Partition: long}), store.ErrLimit},
		"scores many":       {b.Append(ctx, l, []store.Record{{Tick: 1, Scores: make([]store.Score, store.MaxScores+1)}}), store.ErrLimit},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
	if err := b.Check(ctx); err != nil {
		t.Errorf("refused writes made the store unhealthy: %v", err)
	}
	// A name's versions and a venue's names end somewhere, and say so.
	for i := range store.MaxVersions {
		if err := save(func(v *store.RuleVersion) { v.Version = fmt.Sprintf("1.0.%d", i) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := save(func(v *store.RuleVersion) { v.Version = "2.0.0" }); !errors.Is(err, store.ErrFull) {
		t.Errorf("a version too many: %v", err)
	}
	for i := range store.MaxNames - 1 {
		if err := save(func(v *store.RuleVersion) { v.Name = fmt.Sprintf("n%d", i) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := save(func(v *store.RuleVersion) { v.Name = "more" }); !errors.Is(err, store.ErrFull) {
		t.Errorf("a name too many: %v", err)
	}
}
