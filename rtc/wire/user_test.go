package wire

import (
	"strings"
	"testing"
)

func TestCheckUser(t *testing.T) {
	for _, good := range []string{"ann", "ann@example.org", "guest-a1", "Zoë", "\u738b", strings.Repeat("x", MaxUser)} {
		if err := CheckUser(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"":                             "no user id",
		strings.Repeat("x", MaxUser+1): "65 bytes",
		"a\xff":                        "UTF-8",
		"a b":                          "a space",
		"\x00hall/door":                `"\x00hall/door"`,
		"an\x00n":                      "does not print",
		"ann\n":                        "does not print",
		"ann\x7f":                      "does not print",
		"ann\u200b":                    "does not print",
		"\u202eann":                    "does not print",
		"ann\u00a0":                    "does not print",
	} {
		if err := CheckUser(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", bad, err, want)
		}
	}
}
