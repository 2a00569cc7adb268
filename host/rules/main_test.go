package rules

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/venued/venued/host/rules/compile"
)

// childCommand makes this test program the child that compiles.
const childCommand = "compile-child"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childCommand {
		os.Exit(compile.Child(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

// testCompiler is the command line of a real child.
func testCompiler(t testing.TB) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, childCommand}
}
