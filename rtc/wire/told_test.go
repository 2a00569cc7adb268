package wire

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestToldAgainstEverything: whatever the order in which frames are confirmed, once or more often, what an update is
// predicted from is what looking through all of them finds.
func TestToldAgainstEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var told Told
		var all []ToldFrame
		enters := rapid.Uint64().Draw(t, "enters") & rapid.Uint64().Draw(t, "seldom")
		newest := uint64(rapid.IntRange(1, 60).Draw(t, "newest"))
		for _, n := range rapid.SliceOfN(rapid.Uint64Range(1, newest), 0, 30).Draw(t, "frames") {
			f := ToldFrame{Frame: n, Tick: uint32(n), Version: uint32(n), Enter: enters>>n&1 != 0}
			told.Confirm(f, newest)
			if !slices.ContainsFunc(all, func(o ToldFrame) bool { return o.Frame == n }) {
				all = append(all, f)
			}
		}
		slices.SortFunc(all, func(a, b ToldFrame) int { return int(b.Frame) - int(a.Frame) })
		got, alone := told.Past()
		base, ok := told.Newest()
		if ok != (len(all) > 0) {
			t.Fatal(ok)
		}
		if !ok {
			return
		}
		if base.Frame != all[0].Frame || got[0].Frame != base.Frame || alone != (base.Frame+HistoryFrames < newest && !base.Enter) {
			t.Fatalf("%+v alone %v of %+v", got, alone, all)
		}
		want := 1
		for base.Frame+HistoryFrames >= newest && want < min(len(all), PastStates) && !all[want-1].Enter && all[want].Frame+HistoryFrames >= base.Frame {
			want++
		}
		if len(got) != want {
			t.Fatalf("%d states, want %d of %+v", len(got), want, all)
		}
		for i := range got {
			if got[i].Frame != all[i].Frame {
				t.Fatalf("%+v of %+v", got, all)
			}
		}
	})
}
