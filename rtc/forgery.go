package rtc

import (
	"encoding/json"

	"github.com/venued/venued/host/stream"
)

// A region corrects whoever claims to be farther than anybody can have come, at most twice a second. Whoever is honest is where
// the region has it soon, since it goes on from the correction or is caught up with. A client that is corrected at that rate
// without end forges.
const (
	forgedMost   = 40        // corrections, above those that are forgiven, end the connection
	forgivenUS   = 1_000_000 // one is forgiven in each second
	eventCorrect = "correct"
	whySpeed     = "speed" // bounds and reach are not counted: who walks through a wall of the room at home, or has long arms, forges nothing
)

// forgery counts the corrections of one session.
type forgery struct {
	score int64
	at    int64 // server time up to which corrections were forgiven
}

// count takes an event of the session and reports whether it is one correction too many.
func (f *forgery) count(e *stream.Event) bool {
	if e.Type != eventCorrect {
		return false
	}
	var body struct {
		Why string `json:"why"`
	}
	if json.Unmarshal(e.Body, &body) != nil || body.Why != whySpeed {
		return false
	}
	if forgiven := (e.TimeUS - f.at) / forgivenUS; forgiven > 0 {
		f.score = max(0, f.score-forgiven)
		f.at += forgiven * forgivenUS
	}
	f.score++
	return f.score > forgedMost
}
