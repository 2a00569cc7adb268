package wire

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentExamples reads every example of docs/protocol.md as what it says it is.
func TestDocumentExamples(t *testing.T) {
	doc, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(json|hex) (\\w+)\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	seen := map[string]int{}
	for _, b := range blocks {
		view := NewView()
		for line := range strings.Lines(b[3]) {
			line = strings.TrimSpace(line)
			seen[b[2]]++
			var err error
			switch b[2] {
			case "up":
				err = DecodeUp([]byte(line), new(Up))
			case "down":
				var d *Down
				if d, err = DecodeDown([]byte(line)); err == nil && d.Code != 0 && d.Code.Name() != d.Name {
					t.Errorf("%s: code %d is %s", line, d.Code, d.Code.Name())
				}
			case "error":
				err = json.Unmarshal([]byte(line), new(struct{ Code Code }))
			case "frames":
				var frame []byte
				if frame, err = hex.DecodeString(line); err == nil {
					_, err = view.Apply(frame, nil)
				}
			default:
				t.Errorf("an example of an unknown kind: %s", b[2])
			}
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
		if b[2] == "frames" {
			e, ok := view.Entity(258)
			if !ok || e.Handle != 5 || e.State.Value != 4 || e.State.Body.Head.Pos.X != 1024+5 || e.Info.Name != "cup" {
				t.Errorf("the frames show %+v", e)
			}
		}
	}
	for _, kind := range []string{"up", "down", "error", "frames"} {
		if seen[kind] == 0 {
			t.Errorf("no example of kind %s", kind)
		}
	}
}
