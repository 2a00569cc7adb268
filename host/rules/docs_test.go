package rules

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The table of refusals in docs/rules.md is that of Codes.
func TestRefusalsAreDocumented(t *testing.T) {
	var want strings.Builder
	want.WriteString("<!-- refusals: codes of host/rules -->\n| code | stage | meaning | what to do |\n| --- | --- | --- | --- |\n")
	for _, c := range Codes {
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s |\n", c.Code, c.Stage, c.Meaning, c.Todo)
	}
	want.WriteString("<!-- refusals: end -->\n")
	doc, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), want.String()) {
		t.Errorf("docs/rules.md has another table of refusals; it should be\n%s", want.String())
	}
}
