package client

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/pion/logging"
)

// pionLogs hands the WebRTC library's log lines to slog, all at debug level: what
// matters about a connection, the client itself reports.
type pionLogs struct{ log *slog.Logger }

// NewLogger implements logging.LoggerFactory.
func (p pionLogs) NewLogger(scope string) logging.LeveledLogger {
	return pionLog{p.log.With("webrtc", scope), p.log.Enabled(context.Background(), slog.LevelDebug)}
}

type pionLog struct {
	log *slog.Logger
	on  bool
}

func (p pionLog) line(level, msg string) {
	if p.on {
		p.log.Debug(msg, "severity", level)
	}
}

func (p pionLog) linef(level, format string, args []any) {
	if p.on {
		p.log.Debug(fmt.Sprintf(format, args...), "severity", level)
	}
}

// Trace lines come for every packet: never.
func (p pionLog) Trace(string)          {}
func (p pionLog) Tracef(string, ...any) {}

func (p pionLog) Debug(msg string)                  { p.line("debug", msg) }
func (p pionLog) Debugf(format string, args ...any) { p.linef("debug", format, args) }
func (p pionLog) Info(msg string)                   { p.line("info", msg) }
func (p pionLog) Infof(format string, args ...any)  { p.linef("info", format, args) }
func (p pionLog) Warn(msg string)                   { p.line("warn", msg) }
func (p pionLog) Warnf(format string, args ...any)  { p.linef("warn", format, args) }
func (p pionLog) Error(msg string)                  { p.line("error", msg) }
func (p pionLog) Errorf(format string, args ...any) { p.linef("error", format, args) }
