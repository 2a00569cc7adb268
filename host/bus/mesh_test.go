package bus

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// until asks again and again, with the test's patience.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("%s did not come", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func meshed(t testing.TB, key string, peers ...string) *Server {
	t.Helper()
	s, err := StartEmbedded(Options{Log: slog.New(slog.DiscardHandler), Mesh: &Mesh{Cluster: "test", Listen: "127.0.0.1:0", Peers: peers, Key: []byte(key)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func connect(t testing.TB, s *Server) *Conn {
	t.Helper()
	c, err := s.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Three servers of which the second and the third know only the first find each other; what is published in one reaches the
// others in order, calls are answered across, and callers hear at once when nobody serves a subject any more.
func TestServersOfAMeshAreOneBus(t *testing.T) {
	a := meshed(t, "secret")
	b, c := meshed(t, "secret", a.MeshAddr()), meshed(t, "secret", a.MeshAddr())
	for _, s := range []*Server{a, b, c} {
		until(t, "the mesh", func() bool { return s.MeshSize() == 2 })
	}
	from, to, also := connect(t, a), connect(t, b), connect(t, c)
	const count = 2000
	var all sync.WaitGroup
	for _, reader := range []*Conn{to, also} {
		all.Add(1)
		next := uint32(0)
		if _, err := reader.Subscribe("numbers", func(m Msg) {
			if got := binary.LittleEndian.Uint32(m.Data); got != next && got < count {
				t.Errorf("got message %d, want %d", got, next)
			} else if got < count {
				if next++; next == count {
					all.Done()
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	sub, err := also.Handle("upper", func(m Msg) ([]byte, error) { return bytes.ToUpper(m.Data), nil })
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the handler", func() bool {
		got, err := from.Request(context.Background(), "upper", []byte("abc"))
		return err == nil && string(got) == "ABC"
	})
	// Interest has spread with the handler's, which was subscribed later on one of them; on the other it is asked for.
	if _, err := to.Handle("here", func(Msg) ([]byte, error) { return nil, nil }); err != nil {
		t.Fatal(err)
	}
	until(t, "the second handler", func() bool { _, err := from.Request(context.Background(), "here", nil); return err == nil })
	for i := range uint32(count) {
		if err := from.Publish("numbers", binary.LittleEndian.AppendUint32(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	all.Wait()
	sub.Stop()
	flush(t, also)
	until(t, "the end of the handler", func() bool {
		_, err := from.Request(context.Background(), "upper", nil)
		return errors.Is(err, ErrNoResponders)
	})
}

// A server that comes later, under another address, is found through SetPeers; one with another key or of another cluster never is.
func TestPeersThatComeAndStrangers(t *testing.T) {
	a := meshed(t, "secret")
	b := meshed(t, "secret")
	c := connect(t, a)
	if err := a.SetPeers([]string{a.MeshAddr(), b.MeshAddr()}); err != nil {
		t.Fatal(err)
	}
	until(t, "the new peer", func() bool { return a.MeshSize() == 1 && b.MeshSize() == 1 })
	b.Stop()
	until(t, "the peer's end", func() bool { return a.MeshSize() == 0 })
	d := meshed(t, "secret")
	if err := a.SetPeers([]string{d.MeshAddr()}); err != nil {
		t.Fatal(err)
	}
	until(t, "the peer at another address", func() bool { return a.MeshSize() == 1 && d.MeshSize() == 1 })

	if n := c.nats.Stats().Reconnects; n != 0 || !c.Connected() {
		t.Errorf("news of peers cut a connection of the process itself, %d times", n)
	}

	stranger := meshed(t, "other", a.MeshAddr())
	late := meshed(t, "secret", a.MeshAddr())
	until(t, "one more peer", func() bool { return late.MeshSize() == 2 })
	if n := stranger.MeshSize(); n != 0 || a.MeshSize() != 2 {
		t.Errorf("a server with another key is joined with %d", n)
	}
	for what, m := range map[string]*Mesh{
		"no port": {Cluster: "x", Listen: "127.0.0.1", Key: []byte("k")}, "no key": {Cluster: "x", Listen: "127.0.0.1:0"},
		"bad peer": {Cluster: "x", Listen: "127.0.0.1:0", Key: []byte("k"), Peers: []string{"nowhere"}},
	} {
		if s, err := StartEmbedded(Options{Mesh: m}); err == nil {
			s.Stop()
			t.Errorf("%s: taken", what)
		}
	}
}

// outsider is a NATS server beside, as an operator runs it.
func outsider(t *testing.T, change func(*server.Options)) (*server.Server, string) {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, MaxPayload: MaxMessage, MaxPending: 4 * MaxMessage}
	if change != nil {
		change(o)
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(startTimeout) {
		t.Fatal("the server is not ready")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s, s.Addr().String()
}

func outside(t *testing.T, out Outside) (*Conn, error) {
	t.Helper()
	s, err := ConnectOutside(out, Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	c, err := s.Connect("test")
	if err == nil {
		t.Cleanup(c.Close)
	}
	return c, err
}

func TestOutsideServer(t *testing.T) {
	_, addr := outsider(t, func(o *server.Options) { o.Username, o.Password = "venued", "open sesame" })
	a, err := outside(t, Outside{URL: "nats://venued:open%20sesame@" + addr})
	if err != nil {
		t.Fatal(err)
	}
	b, err := outside(t, Outside{URL: "nats://venued:open%20sesame@" + addr})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Handle("double", func(m Msg) ([]byte, error) { return append(m.Data, m.Data...), nil }); err != nil {
		t.Fatal(err)
	}
	flush(t, b)
	if got, err := a.Request(context.Background(), "double", []byte("ab")); err != nil || string(got) != "abab" {
		t.Errorf("%q, %v", got, err)
	}
	_, err = outside(t, Outside{URL: "nats://venued:wrong@" + addr})
	if err == nil || !strings.Contains(err.Error(), "refuses the user or the password") || strings.Contains(err.Error(), "wrong@") {
		t.Errorf("wrong password: %v", err)
	}
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	if _, err = outside(t, Outside{URL: "nats://" + gone.Addr().String()}); err == nil || !strings.Contains(err.Error(), "[bus] url") {
		t.Errorf("nobody there: %v", err)
	}
	_, small := outsider(t, func(o *server.Options) { o.MaxPayload = 1 << 20 })
	if _, err = outside(t, Outside{URL: "nats://" + small}); err == nil || !strings.Contains(err.Error(), "max_payload") {
		t.Errorf("small messages only: %v", err)
	}
	for what, out := range map[string]Outside{
		"no authority": {URL: "tls://" + addr, CA: "nowhere.pem"}, "no credentials": {URL: "nats://" + addr, Credentials: "nowhere.creds"},
		"no certificate": {URL: "tls://" + addr, Cert: "nowhere.pem", Key: "nowhere.key"},
	} {
		if _, err := outside(t, out); err == nil || !strings.Contains(err.Error(), "nowhere") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// certificate writes a self-signed one for 127.0.0.1.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "bus"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, b := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestOutsideServerOverTLS(t *testing.T) {
	cert, key := certificate(t)
	_, addr := outsider(t, func(o *server.Options) {
		conf, err := server.GenTLSConfig(&server.TLSConfigOpts{CertFile: cert, KeyFile: key})
		if err != nil {
			t.Fatal(err)
		}
		o.TLSConfig, o.TLSTimeout = conf, 5
	})
	c, err := outside(t, Outside{URL: "tls://" + addr, CA: cert})
	if err != nil {
		t.Fatal(err)
	}
	flush(t, c)
	if _, err := outside(t, Outside{URL: "tls://" + addr}); err == nil {
		t.Error("a server of an unknown authority is trusted")
	}
}

// A server that goes and comes back under its address: what was published meanwhile arrives, once, and subscriptions are there again.
func TestOutsideServerComesBack(t *testing.T) {
	first, addr := outsider(t, nil)
	_, port, _ := net.SplitHostPort(addr)
	a, err := outside(t, Outside{URL: "nats://" + addr})
	if err != nil {
		t.Fatal(err)
	}
	b, err := outside(t, Outside{URL: "nats://" + addr})
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 16)
	if _, err := b.Subscribe("news", func(m Msg) { got <- string(m.Data) }); err != nil {
		t.Fatal(err)
	}
	flush(t, b)
	first.Shutdown()
	first.WaitForShutdown()
	until(t, "the loss", func() bool { return !a.Connected() && !b.Connected() })
	if err := a.Publish("news", []byte("while away")); err != nil {
		t.Fatal(err)
	}
	outsider(t, func(o *server.Options) { fmt.Sscan(port, &o.Port) })
	until(t, "the reader", b.Connected)
	flush(t, b)
	until(t, "the writer", a.Connected)
	if err := a.Publish("news", []byte("back")); err != nil {
		t.Fatal(err)
	}
	// The first may have come before the reader was there again: at most once is what the bus promises.
	if m := <-got; m == "while away" {
		m = <-got
		if m != "back" {
			t.Errorf("then %q", m)
		}
	} else if m != "back" {
		t.Errorf("got %q", m)
	}
}
