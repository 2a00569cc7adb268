package scenario

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDiffers(t *testing.T) {
	a, b := [][]string{{"1  x", "1  y"}, nil}, [][]string{{"1  x"}, nil}
	one, two := [32]byte{1}, [32]byte{2}
	if d := differs(a, a, one, one); d != "" {
		t.Errorf("%q", d)
	}
	if d := differs(a, b, one, one); !strings.HasSuffix(d, "\n    1  x\n  - 1  y") {
		t.Errorf("%q", d)
	}
	if d := differs(a, a, one, two); !strings.Contains(d, "another state") {
		t.Errorf("%q", d)
	}
}

// Without its + lines a diff is the first list, without its - lines the second.
func TestDiff(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		a, b := lines.Draw(t, "a"), lines.Draw(t, "b")
		var gotA, gotB []string
		for line := range strings.Lines(diff(a, b)) {
			line = strings.TrimSuffix(line, "\n")
			switch line[:4] {
			case "    ":
				gotA, gotB = append(gotA, line[4:]), append(gotB, line[4:])
			case "  - ":
				gotA = append(gotA, line[4:])
			case "  + ":
				gotB = append(gotB, line[4:])
			}
		}
		if !slices.Equal(gotA, a) || !slices.Equal(gotB, b) {
			t.Fatalf("%q and %q from\n%s", gotA, gotB, diff(a, b))
		}
	})
}
