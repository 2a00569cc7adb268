package bus

import (
	"fmt"
	"strings"
)

// Inputs is the subject of a region's input batches.
func Inputs(venue, region string) string { return subject(venue, region, "in") }

// Records is the subject of a region's state records.
func Records(venue, region string) string { return subject(venue, region, "rec") }

// Mail is the subject of what other regions of the venue tell a region, as batches of inputs.
func Mail(venue, region string) string { return subject(venue, region, "mail") }

// Key is the subject of calls that answer with a region's newest key record, encoded.
// The request is empty.
func Key(venue, region string) string { return subject(venue, region, "key") }

// Admin is the subject of admin calls to a region.
func Admin(venue, region string) string { return subject(venue, region, "admin") }

// Place is the subject of calls that look up a person's last stored place: the
// request is a PlaceRequest, the answer a PlaceReply, both JSON.
func Place(venue string) string { return "venued." + token(venue) + ".place" }

func subject(venue, region, what string) string {
	return "venued." + token(venue) + "." + token(region) + "." + what
}

// token makes a name one token of a subject. Letters, digits, '-' and '_' stand for
// themselves, every other byte is written "=hh": different names stay different,
// and no name can reach into another subject with '.', '*' or '>'.
func token(name string) string {
	plain := name != ""
	for i := range len(name) {
		plain = plain && tokenByte(name[i])
	}
	if plain {
		return name
	}
	if name == "" {
		return "="
	}
	var b strings.Builder
	for i := range len(name) {
		if tokenByte(name[i]) {
			b.WriteByte(name[i])
		} else {
			fmt.Fprintf(&b, "=%02x", name[i])
		}
	}
	return b.String()
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}
