package rules

import (
	"strconv"

	"github.com/venued/venued/abi"
)

// maxLogLine is the longest line of a guest's log, bytes before escaping; the rest is cut.
const maxLogLine = 256

// logBudget holds a guest to abi.MaxLogBytes a second of server time. What is above it is
// dropped and counted.
type logBudget struct {
	left    uint64 // bytes
	lastUS  uint64
	started bool
	dropped int // lines since the last one that was let through
}

// take reports whether a line of n bytes may pass at that server time, and how many
// lines before it did not.
func (l *logBudget) take(n int, nowUS uint64) (ok bool, dropped int) {
	if !l.started {
		l.started, l.left, l.lastUS = true, abi.MaxLogBytes, nowUS
	}
	if nowUS > l.lastUS {
		// A second refills it; capping the time first keeps the product small.
		gain := min(nowUS-l.lastUS, 1_000_000) * abi.MaxLogBytes / 1_000_000
		if gain > 0 {
			l.left = min(l.left+gain, abi.MaxLogBytes)
			l.lastUS = nowUS
		}
	}
	if uint64(n) > l.left {
		l.dropped++
		return false, 0
	}
	l.left -= uint64(n)
	dropped, l.dropped = l.dropped, 0
	return true, dropped
}

// escape makes a guest's bytes one printable line: control characters, quotes and invalid UTF-8 become
// escapes, so that a guest cannot forge lines of the host's log.
func escape(line []byte) string {
	if len(line) > maxLogLine {
		line = line[:maxLogLine]
	}
	quoted := strconv.QuoteToGraphic(string(line))
	return quoted[1 : len(quoted)-1]
}
