package rules

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The document of the contract has every code with the words of the table here.
func TestCodesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := bytes.Cut(doc, []byte("<!-- refusals: codes of host/rules -->\n"))
	got, _, end := bytes.Cut(rest, []byte("<!-- refusals: end -->"))
	if !ok || !end {
		t.Fatal("docs/rules.md lacks the marks of the table of codes")
	}
	var want strings.Builder
	want.WriteString("| code | stage | meaning | what to do |\n| --- | --- | --- | --- |\n")
	for _, c := range Codes {
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s |\n", c.Code, c.Stage, c.Meaning, c.Todo)
	}
	if string(got) != want.String() {
		t.Errorf("the table of codes in docs/rules.md is another one; it should be\n%s", want.String())
	}
}
