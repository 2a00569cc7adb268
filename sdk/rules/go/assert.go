package rule

import (
	"path"
	"runtime"
	"strconv"
	"strings"
)

// Assert ends the call when what must hold does not: the host's log then has the sentence and where the assertion stands.
func Assert(holds bool, sentence string) {
	if !holds {
		panic("assertion failed: " + sentence)
	}
}

// panicMessage says what a panic was about and, where the runtime knows it, on which line of the rule it came up. Call it
// from a deferred function, when the stack is still there.
func panicMessage(reason any) string {
	message := "panic"
	switch r := reason.(type) {
	case error:
		message = r.Error()
	case string:
		message = r
	}
	// The frames below the panic: the runtime's, an Assert's, then who caused it.
	panicked := false
	for i := 1; i < 32; i++ {
		pc, file, line, ok := runtime.Caller(i)
		if !ok {
			break
		}
		name := ""
		if f := runtime.FuncForPC(pc); f != nil {
			name = f.Name()
		}
		if strings.HasPrefix(name, "runtime.") {
			panicked = true
			continue
		}
		if panicked && !strings.HasSuffix(name, ".Assert") {
			return message + " (" + path.Base(file) + ":" + strconv.Itoa(line) + ")"
		}
	}
	return message
}
