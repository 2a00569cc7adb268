package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Bounds of a connection.
const (
	PendingMessages = 8192           // messages waiting in one subscription
	PendingBytes    = 4 * MaxMessage // and their size
	ReconnectBytes  = MaxMessage     // published while the server is away
	reconnectWait   = 50 * time.Millisecond
	waitLimit       = 5 * time.Second // for what was published, at Close
	errorHeader     = "Venued-Error"
)

// Conn is one role's connection to the bus. Its methods may be called from any
// goroutine.
type Conn struct {
	name   string
	nats   *nats.Conn
	log    *slog.Logger
	slow   func(connection, subject string, dropped uint64)
	closed chan struct{} // the connection's own goroutines have reported the end

	mu   sync.Mutex
	subs map[*Sub]struct{}
}

// Connect opens a connection, in memory when the server is embedded. name appears in logs.
func (s *Server) Connect(name string) (*Conn, error) {
	c := &Conn{
		name: name, log: s.opts.Log, slow: s.opts.Slow,
		closed: make(chan struct{}), subs: make(map[*Sub]struct{}),
	}
	where, options := "", []nats.Option{
		nats.Name(name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.ReconnectJitter(0, 0),
		nats.ReconnectBufSize(ReconnectBytes),
		nats.PingInterval(30 * time.Second),
		nats.MaxPingsOutstanding(4),
		nats.ErrorHandler(c.asyncError),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				c.log.Warn("bus connection lost, reconnecting", "connection", name, "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { c.log.Info("bus connection is back", "connection", name) }),
		nats.ClosedHandler(func(*nats.Conn) { close(c.closed) }),
	}
	if s.outside != nil {
		where = s.outside.URL
		options = append(options, s.outside.options(s.tls)...)
	} else {
		options = append(options, nats.InProcessServer(s.nats), nats.Token(s.options.Authorization))
	}
	nc, err := nats.Connect(where, options...)
	if err != nil {
		return nil, s.unreachable(name, err)
	}
	if most := nc.MaxPayload(); s.outside != nil && most < MaxMessage {
		nc.Close()
		return nil, fmt.Errorf("bus: the NATS server takes messages of at most %d bytes, %d are needed: set max_payload: %d in its configuration", most, MaxMessage, MaxMessage)
	}
	c.nats = nc
	return c, nil
}

func (c *Conn) asyncError(_ *nats.Conn, sub *nats.Subscription, err error) {
	if sub == nil || !errors.Is(err, nats.ErrSlowConsumer) {
		c.log.Error("bus", "connection", c.name, "error", err)
		return
	}
	n, err := sub.Dropped()
	if err != nil {
		return // stopped meanwhile: there is nobody to tell
	}
	if n <= 1 || n%1000 == 0 {
		c.log.Warn("bus reader is too slow, newest messages dropped", "connection", c.name, "subject", sub.Subject, "dropped", n)
	}
	if c.slow != nil {
		c.slow(c.name, sub.Subject, uint64(n))
	}
}

// Publish sends data to the subscribers of subject. It copies data and does not wait. A
// nil error means that the message was taken, not that anyone got it.
func (c *Conn) Publish(subject string, data []byte) error {
	if len(data) > MaxMessage {
		return fmt.Errorf("bus: publishing %d bytes to %s: %w (%d)", len(data), subject, ErrTooLarge, MaxMessage)
	}
	if err := c.nats.Publish(subject, data); err != nil {
		return fmt.Errorf("bus: publishing to %s: %w", subject, mapError(err))
	}
	return nil
}

// Connected reports whether the server can be reached right now, as far as this side knows.
func (c *Conn) Connected() bool { return c.nats.IsConnected() }

// Flush waits until the server has everything published before, or ctx ends.
// Subscriptions made before are in force then.
func (c *Conn) Flush(ctx context.Context) error {
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	if err := c.nats.FlushWithContext(ctx); err != nil {
		return fmt.Errorf("bus: flushing %s: %w", c.name, mapError(err))
	}
	return nil
}

// Msg is a message as its subscriber sees it. Data belongs to the subscriber.
type Msg struct {
	Subject string
	Data    []byte
}

// Sub is a subscription.
type Sub struct {
	conn *Conn
	nats *nats.Subscription
	done chan struct{} // f has returned for the last time
}

// Subscribe calls f with the messages of subject, one at a time, in order, on a
// goroutine of its own, until Stop or Close. A reader that falls behind loses the
// newest messages (see the package's bounds).
func (c *Conn) Subscribe(subject string, f func(Msg)) (*Sub, error) {
	return c.subscribe(subject, func(m *nats.Msg) { f(Msg{Subject: m.Subject, Data: m.Data}) })
}

// Handle answers the requests of subject with f's result, one at a time. An error
// of f reaches the caller as a *RemoteError with its text.
func (c *Conn) Handle(subject string, f func(Msg) ([]byte, error)) (*Sub, error) {
	return c.subscribe(subject, func(m *nats.Msg) {
		if m.Reply == "" {
			return // published, not requested: nobody waits for an answer
		}
		answer := nats.NewMsg(m.Reply)
		data, err := f(Msg{Subject: m.Subject, Data: m.Data})
		switch {
		case err != nil:
			answer.Header.Set(errorHeader, headerText(err.Error()))
		case len(data) > MaxMessage:
			answer.Header.Set(errorHeader, fmt.Sprintf("the answer has %d bytes, above the bus limit of %d", len(data), MaxMessage))
		default:
			answer.Data = data
		}
		if err := c.nats.PublishMsg(answer); err != nil {
			c.log.Warn("bus answer not sent", "connection", c.name, "subject", m.Subject, "error", err)
		}
	})
}

// headerText keeps an error's text within one header line of bounded length.
func headerText(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 1024 {
		s = strings.ToValidUTF8(s[:1024], "") + "..."
	}
	if s == "" {
		return "unnamed error"
	}
	return s
}

func (c *Conn) subscribe(subject string, f nats.MsgHandler) (*Sub, error) {
	s := &Sub{conn: c, done: make(chan struct{})}
	sub, err := c.nats.Subscribe(subject, f)
	if err != nil {
		return nil, fmt.Errorf("bus: subscribing to %s: %w", subject, mapError(err))
	}
	s.nats = sub
	sub.SetClosedHandler(func(string) { close(s.done) })
	if err := sub.SetPendingLimits(PendingMessages, PendingBytes); err != nil {
		_ = sub.Unsubscribe() // the bound is what failed; that is the error to tell
		return nil, fmt.Errorf("bus: bounding the queue of %s: %w", subject, mapError(err))
	}
	c.mu.Lock()
	c.subs[s] = struct{}{}
	c.mu.Unlock()
	return s, nil
}

// Dropped returns how many messages the subscription has lost by being too slow.
func (s *Sub) Dropped() uint64 {
	n, err := s.nats.Dropped()
	if err != nil {
		return 0 // stopped
	}
	return uint64(n)
}

// Stop ends the subscription and waits until its function has returned for the last
// time. It must not be called from that function. More calls do nothing.
func (s *Sub) Stop() {
	s.conn.mu.Lock()
	_, live := s.conn.subs[s]
	delete(s.conn.subs, s)
	s.conn.mu.Unlock()
	if live {
		// The only errors are a connection or subscription that has ended already,
		// which is what is wanted.
		_ = s.nats.Unsubscribe()
	}
	<-s.done
}

// Request sends data to whoever handles subject and returns the answer. With no handler it
// returns ErrNoResponders at once; otherwise it waits until ctx ends, 5 s at most
// when ctx has no deadline.
func (c *Conn) Request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	if len(data) > MaxMessage {
		return nil, fmt.Errorf("bus: requesting %s with %d bytes: %w (%d)", subject, len(data), ErrTooLarge, MaxMessage)
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	m, err := c.nats.RequestWithContext(ctx, subject, data)
	if err != nil {
		return nil, fmt.Errorf("bus: requesting %s: %w", subject, mapError(err))
	}
	if text := m.Header.Get(errorHeader); text != "" {
		return nil, &RemoteError{Subject: subject, Text: text}
	}
	return m.Data, nil
}

func withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, waitLimit)
}

// Close sends what was published, ends every subscription and waits for them. It must not
// be called from a subscription's function. More calls do nothing.
func (c *Conn) Close() {
	c.mu.Lock()
	subs := c.subs
	c.subs = make(map[*Sub]struct{})
	c.mu.Unlock()
	for s := range subs {
		_ = s.nats.Unsubscribe() // see Stop
		<-s.done
	}
	if c.nats.IsConnected() {
		// When the server ends meanwhile the rest is lost, as the package says.
		_ = c.nats.FlushTimeout(waitLimit)
	}
	c.nats.Close()
	<-c.closed
}

// mapError gives the package's own errors for those that callers tell apart.
func mapError(err error) error {
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return ErrNoResponders
	case errors.Is(err, nats.ErrConnectionClosed):
		return ErrClosed
	case errors.Is(err, nats.ErrMaxPayload):
		return ErrTooLarge
	}
	return err
}
