package node

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
)

// TestInbox fills inboxes with random inputs: what comes out is in order and within the bound,
// key inputs are lost only when there is no pose to make room for them, and
// poses are lost oldest first.
func TestInbox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := inbox{max: rapid.IntRange(1, 12).Draw(t, "max")}
		var spare []stream.Input
		n := uint32(0)
		for range rapid.IntRange(1, 4).Draw(t, "ticks") {
			var sent []stream.Input
			for range rapid.IntRange(0, 5).Draw(t, "batches") {
				var batch []stream.Input
				for range rapid.IntRange(0, 8).Draw(t, "inputs") {
					n++
					kind := rapid.SampledFrom([]stream.InputKind{stream.InputPose, stream.InputPose, stream.InputGrab, stream.InputJoin}).Draw(t, "kind")
					batch = append(batch, stream.Input{Kind: kind, Seq: n})
				}
				sent = append(sent, batch...)
				b.add(batch)
			}
			got, lost := b.take(spare)
			if len(got) > b.max {
				t.Fatalf("%d inputs, the bound is %d", len(got), b.max)
			}
			if len(got)+lost.poses+lost.refused != len(sent) {
				t.Fatalf("%d sent, %d came out, lost %+v", len(sent), len(got), lost)
			}
			if !slices.IsSortedFunc(got, func(a, b stream.Input) int { return int(a.Seq) - int(b.Seq) }) {
				t.Fatalf("out of order: %v", got)
			}
			out := map[uint32]bool{}
			poses := 0
			for _, x := range got {
				out[x.Seq] = true
				if x.Kind == stream.InputPose {
					poses++
				}
			}
			if lost.refused > 0 {
				// Somebody was refused: at that moment no pose was there, so all that are there now came later.
				refused := uint32(0)
				for _, x := range sent {
					if x.Kind != stream.InputPose && !out[x.Seq] {
						refused = max(refused, x.Seq)
					}
				}
				for _, x := range got {
					if x.Kind == stream.InputPose && x.Seq < refused {
						t.Fatalf("input %d was refused while pose %d waited", refused, x.Seq)
					}
				}
			}
			spare = got
		}
	})
}

func TestInboxDropsOldestPosesFirst(t *testing.T) {
	b := inbox{max: 8}
	for i := range uint32(20) {
		b.add([]stream.Input{{Kind: stream.InputPose, Seq: i}})
	}
	got, lost := b.take(nil)
	for i, x := range got {
		if want := uint32(20 - len(got) + i); x.Seq != want {
			t.Fatalf("pose %d is number %d, want %d", i, x.Seq, want)
		}
	}
	if lost.poses != 20-len(got) || len(got) < 6 {
		t.Fatalf("%d kept, lost %+v", len(got), lost)
	}
}
