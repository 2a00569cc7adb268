package bus

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"time"

	"github.com/nats-io/nats.go"
)

// Outside is a NATS server, or a cluster of them, that runs beside venued.
type Outside struct {
	URL         string // nats://[user:password@]host:port, tls:// for TLS; several, separated by commas
	Credentials string // file with a user's JWT and seed; optional
	CA          string // file with certificates that the server's is checked against; default: the system's
	Cert, Key   string // files of this side's certificate; optional
}

// An outside server is pinged so often, and given up after so many pings without an answer.
const (
	outsidePing     = time.Second
	outsidePingsOut = 2
)

// ConnectOutside makes the bus of a NATS outside. Nothing is connected yet; that the files can be read is checked.
func ConnectOutside(out Outside, o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Server{outside: &out, opts: o}
	if out.CA != "" || out.Cert != "" {
		s.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if out.CA != "" {
		pem, err := os.ReadFile(out.CA)
		if err != nil {
			return nil, fmt.Errorf("bus: certificates of the server's authority: %w", err)
		}
		s.tls.RootCAs = x509.NewCertPool()
		if !s.tls.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("bus: %s holds no certificate in PEM", out.CA)
		}
	}
	if out.Cert != "" {
		pair, err := tls.LoadX509KeyPair(out.Cert, out.Key)
		if err != nil {
			return nil, fmt.Errorf("bus: this side's certificate: %w", err)
		}
		s.tls.Certificates = []tls.Certificate{pair}
	}
	if out.Credentials != "" {
		if _, err := os.Stat(out.Credentials); err != nil {
			return nil, fmt.Errorf("bus: credentials: %w", err)
		}
	}
	return s, nil
}

func (out *Outside) options(conf *tls.Config) []nats.Option {
	options := []nats.Option{
		nats.Timeout(5 * time.Second), nats.PingInterval(outsidePing), nats.MaxPingsOutstanding(outsidePingsOut),
	}
	if conf != nil {
		options = append(options, nats.Secure(conf))
	}
	if out.Credentials != "" {
		options = append(options, nats.UserCredentials(out.Credentials))
	}
	return options
}

// unreachable is the error of a connection that did not come up; passwords stay out of it.
func (s *Server) unreachable(name string, err error) error {
	if s.outside == nil {
		return fmt.Errorf("bus: %s cannot connect to the embedded server: %w", name, err)
	}
	where := "the NATS server"
	if u, perr := url.Parse(s.outside.URL); perr == nil {
		where = "NATS at " + u.Redacted()
	}
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("bus: %s: %s refuses the user or the password ([bus] url or credentials): %w", name, where, err)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("bus: %s: nothing answers as %s ([bus] url): %w", name, where, err)
	}
	return fmt.Errorf("bus: %s cannot connect to %s: %w", name, where, err)
}
