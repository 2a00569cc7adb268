package scene

import (
	"strings"
	"testing"

	"github.com/venued/venued/host/stream"
)

// TestNobodysID: whoever comes under an id that nobody can have is turned away, and is not taken for somebody else, or for a rule.
func TestNobodysID(t *testing.T) {
	w := newWorld(t, hall(t, 0, 6))
	w.step(stream.Input{Kind: stream.InputJoin, Session: 1, User: "a?"})
	for i, id := range []string{"", "\x00hall/door", "a\xff", "a b", strings.Repeat("x", 65)} {
		session := uint64(i + 2)
		fx := w.step(stream.Input{Kind: stream.InputJoin, Session: session, User: id, Name: "ada"})
		if len(fx.Events) != 1 || fx.Events[0].Type != "refused" || fx.Events[0].Session != session || !strings.Contains(string(fx.Events[0].Body), `"token_invalid"`) {
			t.Errorf("%q: %+v", id, fx.Events)
		}
		if fx.Stats.Users != 1 || w.region.sessions[session] != nil {
			t.Errorf("%q was let in", id)
		}
	}
}
