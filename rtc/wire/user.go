package wire

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// MaxUser is the longest person id, bytes.
const MaxUser = 64

// CheckUser says what is wrong with a person's id: 1 to MaxUser bytes of printable characters without spaces. Whoever lets somebody in asks
// it: tokens, gateways, regions. Regions, logs and boards count on what it refuses.
func CheckUser(id string) error {
	switch {
	case id == "":
		return errors.New("no user id: a token names its person")
	case len(id) > MaxUser:
		return fmt.Errorf("user id of %d bytes: at most %d are allowed", len(id), MaxUser)
	case !utf8.ValidString(id):
		return errors.New("user id is not UTF-8")
	}
	for _, r := range id {
		if !unicode.IsPrint(r) || r == ' ' {
			return fmt.Errorf("user id %q has a space or a character that does not print", id)
		}
	}
	return nil
}
