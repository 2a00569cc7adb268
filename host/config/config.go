// Package config reads the one TOML file that a host runs from: the host's own tables
// and the venue's.
//
// # Model
//
//	file --> Load --> Config{Server, Tokens, RTC, Store, Console, Rules, Log, Venue}
//
// A file may be as short as a venue; every host key has a default. Reading is
// strict (package strict): unknown keys, wrong types and cross-field faults are all reported
// together, each with its line. What Load returns is complete: ports that follow from other
// ports are filled in, and paths of files that the configuration names are absolute.
//
// # Trust
//
// The file is the operator's. Load looks whether the files that it names exist, and does not read
// them; whether a port is free or a folder can be written shows at the start.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/strict"
)

// Config is a checked configuration. It does not change any more.
type Config struct {
	Server  Server
	Tokens  Tokens
	RTC     RTC
	Store   Store
	Bus     Bus
	Cluster Cluster
	Console Console
	Rules   Rules
	Log     Log
	Venue   *venues.Venue
}

// Server is [server].
type Server struct {
	Listen  string   `toml:"listen"`  // host:port of HTTP; default 127.0.0.1:7878; port 0 = any free one
	Data    string   `toml:"data"`    // folder of the store, default ./data, relative to the working folder
	Metrics string   `toml:"metrics"` // host:port of metrics and health, default 127.0.0.1:7879; "" = none
	Origins []string `toml:"origins"` // web origins that may connect beside the host's own: scheme://host[:port], or "*"
}

// Tokens is [tokens].
type Tokens struct {
	KeyFile string `toml:"key_file"` // of the key that signs join tokens; Load makes it absolute; "" = the host keeps one of its own, for loopback only
}

// RTC is [rtc].
type RTC struct {
	UDPPort   int      `toml:"udp_port"`   // default: the port of Server.Listen; 0 = any free one
	TCPPort   int      `toml:"tcp_port"`   // ICE over TCP; default: the port of Server.Listen + 2; 0 = any free one
	PublicIPs []string `toml:"public_ips"` // addresses to announce; none = those of the interfaces
}

// Store is [store].
type Store struct {
	SnapshotS int    `toml:"snapshot_s"` // seconds between snapshots of a region, default 30; 1-3600
	CommitMS  int    `toml:"commit_ms"`  // milliseconds that writes are gathered for one commit, default 20; 1-1000
	Redis     string `toml:"redis"`      // redis://, rediss:// or unix:// of a Redis 7: the process is one of a cluster. "" = a file in Server.Data, one process
	Prefix    string `toml:"prefix"`     // of every key in Redis: the cluster's name, default "venued"
}

// Bus is [bus]: how the processes of a cluster reach each other.
type Bus struct {
	URL         string `toml:"url"`         // of a NATS that runs beside; "" = every process brings a server, and they join
	Credentials string `toml:"credentials"` // file of a NATS user, with URL; Load makes it and those below absolute
	CA          string `toml:"ca"`          // file of certificates that the NATS server's is checked against
	Cert        string `toml:"cert"`        // file of this side's certificate
	Key         string `toml:"key"`         // file of its key
	Listen      string `toml:"listen"`      // host:port for the other processes' servers, without URL; default: the host of Server.Listen, any free port
	Advertise   string `toml:"advertise"`   // host:port under which they reach it, when it is not what Listen says
}

// Cluster is [cluster]: which part this process has.
type Cluster struct {
	Name  string   `toml:"name"`  // of this process, unique in the cluster; default: this machine's name and the port of Server.Listen
	Roles []string `toml:"roles"` // of "gateway", "node", "console"; default: all
}

// Role reports whether this process plays a role.
func (c *Cluster) Role(name string) bool { return slices.Contains(c.Roles, name) }

// Clustered reports whether this process is one of a cluster.
func (c *Config) Clustered() bool { return c.Store.Redis != "" }

// Console is [console].
type Console struct {
	Enabled   bool   `toml:"enabled"`    // default true: /admin on the address of Server.Listen
	TokenFile string `toml:"token_file"` // of the admin token; Load makes it absolute; "" = admin.token in the data folder, made at the first start
}

// Rules is [rules]: who may upload modules of rules beside the admins.
type Rules struct {
	RequireSignature bool      `toml:"require_signature"` // modules that none of Keys signed are refused; default false
	Keys             []RuleKey `toml:"keys"`
}

// RuleKey is [[rules.keys]]: a designer's.
type RuleKey struct {
	Name      string   `toml:"name,required"`  // who it is, as a rule's name; not "admin"
	PublicKey string   `toml:"public_key"`     // ed25519, 32 bytes in base64: what it signs is taken; "" = it signs nothing
	TokenFile string   `toml:"token_file"`     // of the token it calls the console's API with; Load makes it absolute; "" = it cannot
	Rules     []string `toml:"rules,required"` // names that it may upload under, and rules that it may change
	Activate  bool     `toml:"activate"`       // whether it may change what they run; default false
}

// Log is [log].
type Log struct {
	Level  string `toml:"level"`  // debug, info (default), warn, error
	Format string `toml:"format"` // text (default), json
}

// SetDefaults fills in the addresses and the data folder.
func (s *Server) SetDefaults() {
	*s = Server{Listen: "127.0.0.1:7878", Data: "./data", Metrics: "127.0.0.1:7879"}
}

// SetDefaults fills in the intervals.
func (s *Store) SetDefaults() { *s = Store{SnapshotS: 30, CommitMS: 20, Prefix: "venued"} }

// roles are those that a process may have.
var roles = []string{"gateway", "node", "console"}

// SetDefaults gives the process every role.
func (c *Cluster) SetDefaults() { *c = Cluster{Roles: slices.Clone(roles)} }

// SetDefaults turns the console on.
func (c *Console) SetDefaults() { *c = Console{Enabled: true} }

// SetDefaults fills in level and format.
func (l *Log) SetDefaults() { *l = Log{Level: "info", Format: "text"} }

// Options is what the file does not say. The zero value will do.
type Options struct {
	Shipped []string // names of the plugins that come with the host; nil = not known, any is taken
	Dir     string   // what key_file and .wasm paths are relative to; Load's default is the file's folder
	Listen  string   // replaces server.listen, as a command line does; "" = the file's
	Data    string   // replaces server.data; "" = the file's
	Metrics string   // replaces server.metrics; "" = the file's
	KeyFile string   // replaces tokens.key_file; relative to the working folder; "" = the file's
	Redis   string   // replaces store.redis; "" = the file's
	Name    string   // replaces cluster.name; "" = the file's
	Roles   []string // replaces cluster.roles; nil = the file's
}

// file is the document as it is written.
type file struct {
	venues.Manifest
	Server  Server  `toml:"server"`
	Tokens  Tokens  `toml:"tokens"`
	RTC     RTC     `toml:"rtc"`
	Store   Store   `toml:"store"`
	Bus     Bus     `toml:"bus"`
	Cluster Cluster `toml:"cluster"`
	Console Console `toml:"console"`
	Rules   Rules   `toml:"rules"`
	Log     Log     `toml:"log"`
}

// Load reads a configuration file. The error is venues.Problems, one for everything that is wrong
// with it, or says why the file could not be read.
func Load(path string, opt Options) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if opt.Dir == "" {
		opt.Dir = filepath.Dir(path)
	}
	return Parse(path, data, opt)
}

// Parse reads a configuration from its bytes; name is what errors call it. The error is
// venues.Problems.
func Parse(name string, data []byte, opt Options) (*Config, error) {
	doc, err := strict.Open(name, data)
	if err != nil {
		return nil, err
	}
	f := new(file)
	c := &checker{doc: doc, f: f, opt: opt, problems: doc.Decode(f)}
	if opt.Listen != "" {
		f.Server.Listen = opt.Listen
	}
	if opt.Data != "" {
		f.Server.Data = opt.Data
	}
	if opt.Metrics != "" {
		f.Server.Metrics = opt.Metrics
	}
	if opt.KeyFile != "" {
		f.Tokens.KeyFile, _ = filepath.Abs(opt.KeyFile)
	}
	if opt.Redis != "" {
		f.Store.Redis = opt.Redis
	}
	if opt.Name != "" {
		f.Cluster.Name = opt.Name
	}
	if opt.Roles != nil {
		f.Cluster.Roles = opt.Roles
	}
	c.server()
	c.tokens()
	c.cluster()
	c.rules()
	c.rest()
	venue, err := venues.Compile(&f.Manifest, venues.Options{Shipped: opt.Shipped, Dir: opt.Dir, Source: doc})
	if more, ok := errors.AsType[venues.Problems](err); ok {
		c.problems = append(c.problems, more...)
	}
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	return &Config{Server: f.Server, Tokens: f.Tokens, RTC: f.RTC, Store: f.Store, Bus: f.Bus, Cluster: f.Cluster, Console: f.Console, Rules: f.Rules, Log: f.Log, Venue: venue}, nil
}

// Loopback reports whether Listen can be reached from this machine only.
func (s *Server) Loopback() bool {
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// checker checks the host's tables.
type checker struct {
	doc      *strict.Document
	f        *file
	opt      Options
	problems venues.Problems
	listen   int // port of server.listen, -1 when it is wrong
}

func (c *checker) add(path, hint, format string, args ...any) {
	if !c.doc.Bad(path) {
		c.problems = append(c.problems, c.doc.Problem(path, fmt.Sprintf(format, args...), hint))
	}
}

// address checks host:port and returns the port, -1 when it is wrong. Replaced says that it comes
// from the command line.
func (c *checker) address(path, addr string, replaced bool) int {
	host, port, err := net.SplitHostPort(addr)
	if n, perr := strconv.ParseUint(port, 10, 16); err == nil && perr == nil {
		if ip, iperr := netip.ParseAddr(host); host == "" || iperr == nil && ip.IsValid() || hostName(host) {
			return int(n)
		}
	}
	msg := fmt.Sprintf("%q is not host:port", addr)
	const hint = `write "127.0.0.1:7878", or ":7878" for all addresses of the machine`
	if replaced {
		c.problems = append(c.problems, venues.Problem{File: "command line", Path: path, Msg: msg, Hint: hint})
	} else {
		c.add(path, hint, "%s", msg)
	}
	return -1
}

// hostName reports whether s could be a host's name.
func hostName(s string) bool {
	return len(s) <= 253 && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789.-_") == "" && s != ""
}

func (c *checker) server() {
	s := &c.f.Server
	c.listen = c.address("server.listen", s.Listen, c.opt.Listen != "")
	if s.Data == "" {
		c.add("server.data", "", "the store needs a folder")
	}
	metrics := -1
	if s.Metrics != "" {
		metrics = c.address("server.metrics", s.Metrics, c.opt.Metrics != "")
	}
	if c.listen > 0 && metrics == c.listen {
		c.add("server.metrics", "take another port", "port %d is server.listen's too", metrics)
	}
	for i, o := range s.Origins {
		u, err := url.Parse(o)
		if o != "*" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || o != u.Scheme+"://"+u.Host) {
			c.add(fmt.Sprintf("server.origins[%d]", i), `write scheme://host[:port], as "https://example.org"`, "%q is not a web origin", o)
		}
	}
	c.ports(metrics)
}

// ports fills in and checks the ports of [rtc].
func (c *checker) ports(metrics int) {
	r := &c.f.RTC
	for _, p := range [...]struct {
		path string
		port *int
		add  int // to listen's port, when it is not written
	}{{"rtc.udp_port", &r.UDPPort, 0}, {"rtc.tcp_port", &r.TCPPort, 2}} {
		if !c.doc.Has(p.path) && c.listen > 0 {
			*p.port = c.listen + p.add
			if *p.port > 65535 {
				c.add(p.path, "add "+strings.TrimPrefix(p.path, "rtc.")+" to [rtc]", "listen's port %d leaves no room for the default, listen's + %d", c.listen, p.add)
			}
			continue
		}
		if *p.port < 0 || *p.port > 65535 {
			c.add(p.path, "", "%d is not a port between 0 and 65535", *p.port)
		}
	}
	if r.TCPPort > 0 && r.TCPPort == c.listen {
		c.add("rtc.tcp_port", "take another port", "port %d is server.listen's too", r.TCPPort)
	}
	if r.TCPPort > 0 && r.TCPPort == metrics {
		c.add("rtc.tcp_port", "take another port", "port %d is server.metrics' too", r.TCPPort)
	}
	for i, s := range r.PublicIPs {
		ip, err := netip.ParseAddr(s)
		if err != nil || ip.Zone() != "" {
			c.add(fmt.Sprintf("rtc.public_ips[%d]", i), "", "%q is not an IP address", s)
		} else if ip.IsUnspecified() || ip.IsMulticast() {
			c.add(fmt.Sprintf("rtc.public_ips[%d]", i), "", "nobody can connect to %s", s)
		}
	}
}

func (c *checker) tokens() {
	t := &c.f.Tokens
	if t.KeyFile == "" {
		if c.listen >= 0 && !c.f.Server.Loopback() {
			const hint = "make a key with 'venued key key.txt' and add key_file = \"key.txt\" to [tokens], or listen on 127.0.0.1"
			const format = "the host can be reached from other machines at %s, and no key signs its tokens"
			if c.opt.Listen != "" {
				c.problems = append(c.problems, venues.Problem{File: c.doc.File(), Line: c.doc.Line("tokens"), Path: "tokens.key_file", Msg: fmt.Sprintf(format, c.f.Server.Listen), Hint: hint})
			} else {
				c.add("server.listen", hint, format, c.f.Server.Listen)
			}
		}
		return
	}
	c.file("tokens.key_file", &t.KeyFile)
}

// file checks that a file is there and makes its path absolute.
func (c *checker) file(key string, path *string) {
	full := *path
	if !filepath.IsAbs(full) {
		full = filepath.Join(c.opt.Dir, full)
	}
	full, err := filepath.Abs(full)
	if err != nil {
		c.add(key, "", "%v", err)
		return
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.add(key, "paths are relative to the configuration's folder", "there is no file %q", *path)
	case err != nil:
		c.add(key, "", "%q cannot be read: %v", *path, cmp.Or(errors.Unwrap(err), err))
	case !info.Mode().IsRegular():
		c.add(key, "", "%q is not a file", *path)
	}
	*path = full
}

func (c *checker) rest() {
	if c.f.Console.TokenFile != "" {
		c.file("console.token_file", &c.f.Console.TokenFile)
	}
	s, l := &c.f.Store, &c.f.Log
	if s.SnapshotS < 1 || s.SnapshotS > 3600 {
		c.add("store.snapshot_s", "", "%d s is not between 1 and 3600 s", s.SnapshotS)
	}
	if s.CommitMS < 1 || s.CommitMS > 1000 {
		c.add("store.commit_ms", "", "%d ms is not between 1 and 1000 ms", s.CommitMS)
	}
	for _, w := range [...]struct {
		path, word string
		known      []string
	}{{"log.level", l.Level, []string{"debug", "info", "warn", "error"}}, {"log.format", l.Format, []string{"text", "json"}}} {
		if !slices.Contains(w.known, w.word) {
			c.add(w.path, strict.DidYouMean(w.word, w.known), "%q is not known", w.word)
		}
	}
}
