package bus

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Mesh joins embedded servers of several processes to one bus: each listens for the others, and whoever knows one of them
// gets to know all.
type Mesh struct {
	Cluster string // name; servers of another name are refused
	Listen  string // host:port for other servers; port 0 takes a free one
	// Advertise is the host:port under which others reach Listen. Default: the address that Listen took.
	Advertise string
	Peers     []string // host:port of servers that are there already; more come with SetPeers
	// Key is a secret that all of the cluster's processes have; what servers show each other is derived from it.
	Key []byte
}

// Servers of a mesh ping each other so often, and are given up after so many pings without an answer: a process that was
// stopped shows within three seconds.
const (
	meshPing     = time.Second
	meshPingsOut = 2
	meshAuth     = 2.0 // seconds
)

// meshUser is the name under which servers of a mesh know each other.
const meshUser = "venued"

// password is what servers of a mesh show each other: it does not tell the key.
func (m *Mesh) password() string {
	h := hmac.New(sha256.New, m.Key)
	h.Write([]byte("venued bus mesh\x00" + m.Cluster))
	return hex.EncodeToString(h.Sum(nil))
}

func (m *Mesh) apply(o *server.Options) error {
	host, port, err := net.SplitHostPort(m.Listen)
	n, perr := strconv.ParseUint(port, 10, 16)
	if err != nil || perr != nil {
		return fmt.Errorf("bus: %q is not host:port of the mesh", m.Listen)
	}
	if len(m.Key) == 0 {
		return fmt.Errorf("bus: a mesh needs the cluster's key")
	}
	o.ServerName = "" // names of a mesh differ: the server draws one
	// NATS starts to listen for servers only once it listens for clients: on loopback, with a token that nobody learns. The timeout is
	// the default, written out: a later change of it, as SetPeers would make one, ends all connections.
	o.DontListen, o.Host, o.Port = false, "127.0.0.1", server.RANDOM_PORT
	o.Authorization, o.AuthTimeout = rand.Text(), meshAuth
	o.Cluster = server.ClusterOpts{
		Name: m.Cluster, Host: host, Port: int(n), Advertise: m.Advertise,
		Username: meshUser, Password: m.password(), AuthTimeout: meshAuth,
		NoAdvertise: true, // of the clients' port
		PoolSize:    -1,   // one connection a pair keeps what one publisher sends in order across subjects
		// Links that are up in both directions at once, and peers that went away, are tried again by the registry's news.
		ConnectRetries: 10, PingInterval: meshPing, MaxPingsOut: meshPingsOut, WriteDeadline: 2 * time.Second,
	}
	if n == 0 {
		o.Cluster.Port = server.RANDOM_PORT
	}
	o.Routes, err = m.routes(m.Peers)
	return err
}

func (m *Mesh) routes(peers []string) ([]*url.URL, error) {
	var urls []*url.URL
	for _, p := range peers {
		if _, _, err := net.SplitHostPort(p); err != nil {
			return nil, fmt.Errorf("bus: peer %q is not host:port: %w", p, err)
		}
		urls = append(urls, &url.URL{Scheme: "nats", Host: p, User: url.UserPassword(meshUser, m.password())})
	}
	return urls, nil
}

// MeshAddr is where other servers reach this one, "" without a mesh.
func (s *Server) MeshAddr() string {
	if s.nats == nil || s.opts.Mesh == nil {
		return ""
	}
	if s.opts.Mesh.Advertise != "" {
		return s.opts.Mesh.Advertise
	}
	return s.nats.ClusterAddr().String()
}

// MeshSize is how many other servers are joined with this one.
func (s *Server) MeshSize() int {
	if s.nats == nil {
		return 0
	}
	return s.nats.NumRoutes()
}

// SetPeers tells of the other servers that there are now. Those that the servers told each other about need not be among them.
func (s *Server) SetPeers(peers []string) error {
	if s.nats == nil || s.opts.Mesh == nil {
		return nil
	}
	peers = slices.DeleteFunc(slices.Clone(peers), func(p string) bool { return p == s.MeshAddr() })
	routes, err := s.opts.Mesh.routes(peers)
	if err != nil {
		return err
	}
	s.options.Routes = routes
	if err := s.nats.ReloadOptions(s.options.Clone()); err != nil {
		return fmt.Errorf("bus: new peers: %w", err)
	}
	return nil
}
