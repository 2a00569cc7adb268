package peer

import (
	"fmt"
	"log/slog"

	"github.com/pion/logging"
)

// logFactory passes what the transport libraries report to slog, for debugging only: what they
// call a warning or an error is mostly a client that went away, at every packet that follows.
type logFactory struct{ log *slog.Logger }

// NewLogger implements logging.LoggerFactory.
func (f logFactory) NewLogger(scope string) logging.LeveledLogger {
	return levelled{f.log.With("scope", scope)}
}

type levelled struct{ log *slog.Logger }

func (levelled) Trace(string)          {}
func (levelled) Tracef(string, ...any) {}
func (levelled) Debug(string)          {}
func (levelled) Debugf(string, ...any) {}
func (levelled) Info(string)           {}
func (levelled) Infof(string, ...any)  {}
func (l levelled) Warn(msg string)     { l.log.Debug(msg) }
func (l levelled) Warnf(format string, a ...any) {
	l.log.Debug(fmt.Sprintf(format, a...))
}
func (l levelled) Error(msg string) { l.log.Debug(msg) }
func (l levelled) Errorf(format string, a ...any) {
	l.log.Debug(fmt.Sprintf(format, a...))
}
