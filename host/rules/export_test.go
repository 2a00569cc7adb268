package rules

import "testing"

// Bomb is a bomb for tests from outside of the package.
type Bomb struct {
	Name    string
	Refused bool // before it is called
	Harmful bool // its calls fail
	Module  func() []byte
}

// Bombs are all of them.
func Bombs() []Bomb {
	var out []Bomb
	for _, b := range bombs {
		out = append(out, Bomb{b.name, b.code != "" && b.code != CodeCall, b.code == CodeCall, b.make})
	}
	return out
}

// CompilerForTests is the command line of a real child.
func CompilerForTests(t testing.TB) []string { return testCompiler(t) }
