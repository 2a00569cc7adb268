package bus

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// MaxMessage is the size of the largest message, bytes: a key record of a full region fits many times.
const MaxMessage = 8 << 20

// Options of an embedded server. The zero value is usable.
type Options struct {
	// Log takes the server's warnings and errors and those of its connections.
	// Default: slog.Default().
	Log *slog.Logger
	// Slow is called when a subscription of one of its connections dropped messages,
	// with the count since its start. Calls come from the bus's own goroutines and must
	// return quickly. Optional; drops are logged anyway, at the first and at every
	// thousandth.
	Slow func(connection, subject string, dropped uint64)
	// Mesh joins the server with those of other processes. Optional: without it nothing outside of the process can
	// reach the server.
	Mesh *Mesh
}

// Server is the bus as one process reaches it: an embedded server, alone or in a mesh, or a NATS outside.
type Server struct {
	nats    *server.Server // nil when outside
	options *server.Options
	outside *Outside
	tls     *tls.Config // of outside
	opts    Options
}

// startTimeout bounds the start of an embedded server: it does nothing but make
// goroutines.
const startTimeout = 10 * time.Second

// StartEmbedded starts a bus inside this process. Clients outside cannot connect to it; with a mesh, servers can that know its secret.
func StartEmbedded(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	opts := &server.Options{
		ServerName:   "venued",
		DontListen:   true,
		NoSigs:       true,
		MaxPayload:   MaxMessage,
		MaxPending:   8 * MaxMessage,
		PingInterval: 30 * time.Second,
		MaxPingsOut:  4,
	}
	if o.Mesh != nil {
		if err := o.Mesh.apply(opts); err != nil {
			return nil, err
		}
	}
	s, err := server.NewServer(opts.Clone())
	if err != nil {
		return nil, fmt.Errorf("bus: the embedded server cannot be made: %w", err)
	}
	s.SetLogger(natsLog{o.Log}, false, false)
	go s.Start()
	if !s.ReadyForConnections(startTimeout) {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, fmt.Errorf("bus: the embedded server was not ready within %s", startTimeout)
	}
	return &Server{nats: s, options: opts, opts: o}, nil
}

// Stop ends an embedded server and waits until its goroutines are gone. Close the
// connections before.
func (s *Server) Stop() {
	if s.nats == nil {
		return
	}
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// natsLog hands the embedded server's warnings and errors to slog; its notices are
// about a listener that does not exist.
type natsLog struct{ log *slog.Logger }

func (natsLog) Noticef(string, ...any) {}
func (natsLog) Debugf(string, ...any)  {}
func (natsLog) Tracef(string, ...any)  {}
func (l natsLog) Warnf(format string, a ...any) {
	l.log.Warn("bus server", "text", fmt.Sprintf(format, a...))
}
func (l natsLog) Errorf(format string, a ...any) {
	l.log.Error("bus server", "error", fmt.Sprintf(format, a...))
}

func (l natsLog) Fatalf(format string, a ...any) {
	l.log.Error("bus server gave up", "error", fmt.Sprintf(format, a...))
}

// Errors of calls and of Publish.
var (
	// ErrNoResponders: nobody serves the subject right now. Try again later.
	ErrNoResponders = errors.New("nobody serves this subject")
	// ErrTooLarge: the message is above MaxMessage. Send less.
	ErrTooLarge = errors.New("message above the bus limit")
	// ErrClosed: the connection was closed by its owner.
	ErrClosed = errors.New("bus connection closed")
)

// RemoteError is an error that a handler returned to a Request.
type RemoteError struct {
	Subject string
	Text    string
}

// Error returns the subject and the handler's text.
func (e *RemoteError) Error() string { return "bus: " + e.Subject + ": " + e.Text }
