package config

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/venued/venued/venues/strict"
)

// cluster checks [store] redis and what a process of a cluster has beside it.
func (c *checker) cluster() {
	s, b, k := &c.f.Store, &c.f.Bus, &c.f.Cluster
	for i, r := range k.Roles {
		path := fmt.Sprintf("cluster.roles[%d]", i)
		if c.opt.Roles != nil {
			path = "cluster.roles"
		}
		if !slices.Contains(roles, r) {
			c.add(path, strict.DidYouMean(r, roles), "%q is not a role (%s)", r, strings.Join(roles, ", "))
		} else if slices.Contains(k.Roles[:i], r) {
			c.add(path, "", "%q is there twice", r)
		}
	}
	all := len(k.Roles) == len(roles)
	switch {
	case !k.Role("gateway") && !k.Role("node"):
		c.add("cluster.roles", "add \"gateway\" (connections of visitors) or \"node\" (regions)", "a process with neither has nothing to do")
	case k.Role("console") && (!k.Role("gateway") || !k.Role("node")):
		c.add("cluster.roles", "leave \"console\" out here, and keep it on processes with all roles", "the console needs the roles gateway and node in its process")
	}
	if !k.Role("console") {
		c.f.Console.Enabled = false
	}
	if s.Redis == "" {
		if !all {
			c.add("cluster.roles", "add redis = \"redis://host:6379\" to [store]", "a process with some of the roles is one of a cluster, and a cluster needs Redis")
		}
		for _, k := range [...][2]string{{"bus.url", b.URL}, {"bus.listen", b.Listen}, {"bus.advertise", b.Advertise}} {
			if k[1] != "" {
				c.add(k[0], "add redis = \"redis://host:6379\" to [store], or leave it out", "a single process has nobody to reach")
			}
		}
		return
	}
	u, err := url.Parse(s.Redis)
	if err != nil || !slices.Contains([]string{"redis", "rediss", "unix"}, u.Scheme) {
		c.add("store.redis", `write "redis://user:password@host:6379/0", "rediss://..." for TLS, or "unix:///path"`, "it is not the address of a Redis")
	}
	if s.Prefix == "" || strings.Trim(s.Prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" || len(s.Prefix) > 32 {
		c.add("store.prefix", "", "%q is not 1 to 32 letters, digits, dots, dashes and underscores", s.Prefix)
	}
	if c.f.Tokens.KeyFile == "" {
		c.add("tokens.key_file", "make a key with 'venued key key.txt', give it to every process, and add key_file = \"key.txt\" to [tokens]", "the processes of a cluster share a key, and there is none")
	}
	c.bus(b)
	if k.Name == "" {
		host, _ := os.Hostname()
		k.Name = host + ":" + strconv.Itoa(max(c.listen, 0))
	}
	if len(k.Name) > 64 {
		c.add("cluster.name", "", "%q has more than 64 letters", k.Name)
	}
}

// bus checks [bus] of a process of a cluster.
func (c *checker) bus(b *Bus) {
	if b.URL != "" {
		for _, one := range strings.Split(b.URL, ",") {
			if u, err := url.Parse(strings.TrimSpace(one)); err != nil || u.Host == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
				c.add("bus.url", `write "nats://host:4222", or "tls://..."`, "it is not the address of a NATS server")
			}
		}
		if b.Listen != "" || b.Advertise != "" {
			c.add("bus.listen", "leave one of them out", "with a NATS outside ([bus] url) no server of this process listens")
		}
		for _, k := range b.files() {
			if *k.file != "" {
				c.file(k.path, k.file)
			}
		}
		if (b.Cert == "") != (b.Key == "") {
			c.add("bus.cert", "", "cert and key belong together")
		}
		return
	}
	for _, k := range b.files() {
		if *k.file != "" {
			c.add(k.path, "add url = \"nats://host:4222\" to [bus], or leave it out", "it is for a NATS outside, and there is none")
		}
	}
	if b.Listen == "" {
		host, _, err := net.SplitHostPort(c.f.Server.Listen)
		if err != nil {
			return // said already
		}
		b.Listen = net.JoinHostPort(host, "0")
	} else {
		c.address("bus.listen", b.Listen, false)
	}
	if host, _, err := net.SplitHostPort(b.Listen); err == nil && b.Advertise == "" && (host == "" || host == "0.0.0.0" || host == "::") {
		c.add("bus.advertise", "add advertise = \"host:port\" to [bus], as the other machines reach this one, or a listen with an address of its own", "the servers of the other processes cannot reach %q", b.Listen)
	}
	if b.Advertise != "" {
		c.address("bus.advertise", b.Advertise, false)
	}
}

// named is a key of [bus] that names a file.
type named struct {
	path string
	file *string
}

func (b *Bus) files() []named {
	return []named{{"bus.credentials", &b.Credentials}, {"bus.ca", &b.CA}, {"bus.cert", &b.Cert}, {"bus.key", &b.Key}}
}
