package plan

import (
	"encoding/json"
	"fmt"
)

// Bounds of an action's message: those of the protocol.
const (
	maxTopic = 64
	maxData  = 1024
)

// meansProblems says what is wrong with how an action is brought about.
func (a *Action) meansProblems(path string) (out Problems) {
	given := 0
	for _, m := range []string{a.Zone, a.Use, a.Topic} {
		if m != "" {
			given++
		}
	}
	switch {
	case given > 0 && a.Kind != Door && a.Kind != Teleport && a.Kind != Rule:
		out = append(out, Problem{path, fmt.Sprintf("a %s has no zone, use or topic", a.Kind), "only door, teleport and rule are up to the venue"})
	case given > 1:
		out = append(out, Problem{path, "more than one of zone, use and topic", "give the one by which it is brought about"})
	case a.Kind == Rule && a.Zone != "":
		out = append(out, Problem{path + ".zone", "a rule does not answer who steps into a zone", "give use or topic"})
	case a.Kind == Teleport && given == 0:
		out = append(out, Problem{path, "a teleport is up to the venue, and the plan does not say how it is brought about",
			"give the zone to step into, the object to use, or the topic of a message"})
	}
	if len(a.Topic) > maxTopic {
		out = append(out, Problem{path + ".topic", fmt.Sprintf("%d bytes", len(a.Topic)), fmt.Sprintf("at most %d", maxTopic)})
	}
	switch {
	case a.Data == "":
	case a.Topic == "":
		out = append(out, Problem{path + ".data", "data without a topic", "data goes with a message: give its topic"})
	case len(a.Data) > maxData || !json.Valid([]byte(a.Data)):
		out = append(out, Problem{path + ".data", fmt.Sprintf("%d bytes that are no message", len(a.Data)), fmt.Sprintf("give JSON of at most %d bytes", maxData)})
	}
	return out
}
