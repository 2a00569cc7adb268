package scene

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestReviveGoesOn captures regions in the middle of random play. What is made of that, after a way through JSON, does the same as the
// region that went on: the same effects, the same state.
func TestReviveGoesOn(t *testing.T) {
	venues := map[int]*world{0: newWorld(t, hall(t, 0, 5)), 100: newWorld(t, hall(t, 100, 5))}
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, venues[rapid.SampledFrom([]int{0, 100}).Draw(t, "window")].venue)
		p := &player{seqs: map[uint64]uint32{}, poses: map[uint64]uint16{}}
		for range rapid.IntRange(1, 40).Draw(t, "ticks before") {
			w.step(p.inputs(t, w.region)...)
			if rapid.IntRange(0, 30).Draw(t, "crash") == 0 {
				w.crash()
				w.step()
			}
		}
		live, err := w.region.Capture()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(live)
		if err != nil {
			t.Fatal(err)
		}
		var read Live
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		cfg := w.config()
		cfg.Rules = w.fresh()
		r, err := Revive(cfg, &read)
		if err != nil {
			t.Fatal(err)
		}
		same(t, w.region, r)
		for range rapid.IntRange(1, 40).Draw(t, "ticks after") {
			in := p.inputs(t, w.region)
			fx := w.step(slices.Clone(in)...)
			a, _ := json.Marshal(fx)
			b, _ := json.Marshal(r.Step(fx.Tick, in))
			// A list that was used before is empty and not nil.
			if strings.ReplaceAll(string(a), "[]", "null") != strings.ReplaceAll(string(b), "[]", "null") {
				t.Fatalf("tick %d: the revived region did otherwise:\n%s\n%s", fx.Tick, a, b)
			}
			same(t, w.region, r)
		}
	})
}

// same compares two regions in all that their future depends on.
func same(t failer, a, b *Region) {
	t.Helper()
	one, err := a.Capture()
	if err != nil {
		t.Fatal(err)
	}
	other, err := b.Capture()
	if err != nil {
		t.Fatal(err)
	}
	x, _ := json.Marshal(one)
	y, _ := json.Marshal(other)
	if string(x) != string(y) {
		t.Fatalf("the revived region is not the one that was captured:\n%s\n%s", x, y)
	}
}

// TestCaptureKnowsEveryField: whoever gives the region's state another field decides here whether Live must carry it.
func TestCaptureKnowsEveryField(t *testing.T) {
	for _, c := range []struct {
		of     any
		fields string
	}{
		{Region{}, "cfg venue region tick lastID eventN joined users sessions people objects doors things zones crowd spawns windows waiting rules deciders " +
			"frozen signals queued heard owed swaps retired saved recovered fx log asked happenings parting keys waitChanged arrived late letters heardNews " +
			"echo call txn batch batchBuf commands flights left restarted flightNews stored near watched band shadows"},
		{entity{}, "Entity sent fresh dirty"},
		{user{}, "entity load floor cursor away awayTick restored zones hands budget budgetTick hasPose poseSeq next settle jumpTick correctAt moved " +
			"cursorNews leaving reason stamp arrive placed placeTick hasPlaced overSince thrown crossing optional"},
		{flight{}, "to at tick released data users objects"},
		{object{}, "entity geom kind holder hand offset window"},
		{door{}, "entity geom from target since locked"},
		{window{}, "object close reqs dirty"},
		{ruleRun{}, "Rule Terms index name module seed touch watch stored written evicted timers timerNews rows poses called mine common alone units " +
			"reserve calls culprits unsettled splitting groups streak blame quarantine offenders"},
		{watch{}, "old terms module forked fresh limit faults since ticks"},
		{offender{}, "faults blocks last until doubts doubted passes"},
	} {
		known := strings.Fields(c.fields)
		typ := reflect.TypeOf(c.of)
		for i := range typ.NumField() {
			if name := typ.Field(i).Name; !slices.Contains(known, name) {
				t.Errorf("%s has a field %s that this test does not know: if it lives from step to step and is not in the snapshot, Live must carry it "+
					"(live.go); then name it here", typ, name)
			}
		}
	}
}

func TestCaptureBeforeAStep(t *testing.T) {
	w := newWorld(t, hall(t, 0, 5))
	if _, err := w.region.Capture(); err == nil || !strings.Contains(err.Error(), "after the next") {
		t.Fatalf("captured before a step: %v", err)
	}
	w.save()
	w.step(join(1, "ada"))
	if _, err := w.restore().Capture(); err == nil {
		t.Fatal("captured between a restart and the first step")
	}
}

// TestReviveRefuses what does not belong to the venue or to itself.
func TestReviveRefuses(t *testing.T) {
	w := newWorld(t, hall(t, 100, 5))
	w.step(join(1, "ada"))
	for name, c := range map[string]struct {
		spoil func(l *Live)
		want  string
	}{
		"things":  {func(l *Live) { l.Things = l.Things[1:] }, "not the one it was captured in"},
		"rules":   {func(l *Live) { l.Rules = nil }, "the venue has 2"},
		"people":  {func(l *Live) { l.Users = nil }, "snapshot with 1"},
		"session": {func(l *Live) { l.Users[0].Session = 9 }, "session 9"},
		"floor":   {func(l *Live) { l.Users[0].Floor = 7 }, "floor 7"},
		"body":    {func(l *Live) { l.Users[0].State.Body.Head.Pos.X = 1<<31 - 1 }, "position"},
		"windows": {func(l *Live) { l.Windows = []uint64{1} }, "1 open windows"},
		"venue":   {func(l *Live) { l.Saved.Venue = "other" }, `venue "other"`},
		"tick":    {func(l *Live) { l.Tick = 0 }, "before the snapshot"},
		"blame":   {func(l *Live) { l.Rules[0].Streak = -1 }, "faults in a row"},
	} {
		l, err := w.region.Capture()
		if err != nil {
			t.Fatal(err)
		}
		c.spoil(l)
		cfg := w.config()
		cfg.Rules = w.fresh()
		if _, err := Revive(cfg, l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
