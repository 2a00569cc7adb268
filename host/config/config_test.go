package config_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/venued/venued"
	"github.com/venued/venued/host/config"
	"github.com/venued/venued/venues"
)

var update = flag.Bool("update", false, "write golden files anew")

const venue = `
[venue]
id = "test"
name = "Test"
[[floor]]
name = "ground"
min = [0, 0]
max = [10, 10]
[[spawn]]
name = "entrance"
at = [5, 5]
`

func TestDefaults(t *testing.T) {
	c, err := config.Parse("x", []byte(venue), config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		Server:  config.Server{Listen: "127.0.0.1:7878", Data: "./data", Metrics: "127.0.0.1:7879"},
		RTC:     config.RTC{UDPPort: 7878, TCPPort: 7880},
		Store:   config.Store{SnapshotS: 30, CommitMS: 20, Prefix: "venued"},
		Cluster: config.Cluster{Roles: []string{"gateway", "node", "console"}},
		Console: config.Console{Enabled: true},
		Log:     config.Log{Level: "info", Format: "text"},
		Venue:   c.Venue,
	}
	if diff := cmp.Diff(want, *c, cmp.Comparer(func(a, b *venues.Venue) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	if c.Venue == nil || c.Venue.ID != "test" || !c.Server.Loopback() {
		t.Errorf("venue %v, loopback %v", c.Venue, c.Server.Loopback())
	}
}

func TestPortsFollowListen(t *testing.T) {
	for _, c := range []struct {
		text, listen string
		udp, tcp     int
	}{
		{"[server]\nlisten = \"127.0.0.1:9000\"\n", "", 9000, 9002},
		{"[server]\nlisten = \"127.0.0.1:9000\"\n", "[::1]:9100", 9100, 9102},
		{"[server]\nlisten = \"localhost:0\"\n", "", 0, 0},
		{"[rtc]\nudp_port = 1\ntcp_port = 0\n", "", 1, 0},
	} {
		got, err := config.Parse("x", []byte(c.text+venue), config.Options{Listen: c.listen, Data: "/elsewhere"})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got.RTC.UDPPort != c.udp || got.RTC.TCPPort != c.tcp || got.Server.Data != "/elsewhere" {
			t.Errorf("%q listening on %q: udp %d, tcp %d, data %q; want %d, %d", c.text, c.listen, got.RTC.UDPPort, got.RTC.TCPPort, got.Server.Data, c.udp, c.tcp)
		}
	}
}

func TestCommandLineFaults(t *testing.T) {
	for listen, want := range map[string]string{
		"nowhere":      `command line: server.listen: "nowhere" is not host:port`,
		"0.0.0.0:7878": "x: tokens.key_file: the host can be reached from other machines at 0.0.0.0:7878, and no key signs its tokens",
	} {
		_, err := config.Parse("x", []byte(venue), config.Options{Listen: listen})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("listen %s: %v\nwant %s", listen, err, want)
		}
	}
	_, err := config.Parse("x", []byte(venue), config.Options{Metrics: "127.0.0.1:7878"})
	if err == nil || !strings.Contains(err.Error(), "port 7878 is server.listen's too") {
		t.Errorf("metrics on the port of listen: %v", err)
	}
}

func TestKeyFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "venue.toml")
	if err := os.WriteFile(file, []byte("[server]\nlisten = \":7878\"\n[tokens]\nkey_file = \"host.key\"\n[console]\ntoken_file = \"host.key\"\n"+venue), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "host.key"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(file, config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Tokens.KeyFile != filepath.Join(dir, "host.key") || c.Server.Loopback() {
		t.Errorf("key file %s, loopback %v", c.Tokens.KeyFile, c.Server.Loopback())
	}
	if c.Console.TokenFile != c.Tokens.KeyFile {
		t.Errorf("the console's token file is %s", c.Console.TokenFile)
	}
	_, err = config.Parse("x", []byte("[console]\ntoken_file = \"no.token\"\n"+venue), config.Options{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), `console.token_file: there is no file "no.token"`) {
		t.Errorf("a token file that is not there: %v", err)
	}
	if _, err := config.Load(filepath.Join(dir, "no.toml"), config.Options{}); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestCluster(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "host.key"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const key = "[tokens]\nkey_file = \"host.key\"\n"
	c, err := config.Parse("x", []byte(key+venue), config.Options{Dir: dir, Redis: "redis://127.0.0.1:6379", Roles: []string{"node"}})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Clustered() || !c.Cluster.Role("node") || c.Cluster.Role("gateway") || c.Console.Enabled || c.Bus.Listen != "127.0.0.1:0" || !strings.HasSuffix(c.Cluster.Name, ":7878") {
		t.Errorf("%+v %+v %+v", c.Cluster, c.Bus, c.Console)
	}
	_, err = config.Parse("x", []byte(venue), config.Options{Dir: dir, Redis: "redis://127.0.0.1:6379"})
	if err == nil || !strings.Contains(err.Error(), "tokens.key_file: the processes of a cluster share a key") {
		t.Errorf("without a key: %v", err)
	}
	_, err = config.Parse("x", []byte(venue), config.Options{Roles: []string{"gateway", "nod"}})
	if err == nil || !strings.Contains(err.Error(), `cluster.roles: "nod" is not a role`) || !strings.Contains(err.Error(), "node") {
		t.Errorf("an unknown role: %v", err)
	}
}

func TestBadConfigurations(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = config.Parse(filepath.Base(file), data, config.Options{Shipped: []string{"grab", "door"}, Dir: "testdata/bad"})
			if err == nil {
				t.Fatal("no problem found")
			}
			golden := strings.TrimSuffix(file, ".toml") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, rerr := os.ReadFile(golden)
			if rerr != nil {
				t.Fatal(rerr)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(err.Error()+"\n", "\n")); diff != "" {
				t.Errorf("-want +got; -update writes it anew\n%s", diff)
			}
		})
	}
}

// commented finds the example's keys that are shown with their defaults: "# key = value   # ...".
var commented = regexp.MustCompile(`(?m)^# ([a-z_]+ = (?:"[^"]*"|\[[^\]]*\]|[^ #"\[]+))`)

// The example names every key of the host and of the venue, and the defaults that its comments
// show are the real ones: with them written out it means the same.
func TestExampleNamesEveryKeyAndItsDefault(t *testing.T) {
	text := string(venued.Example)
	plain, err := config.Parse("example", []byte(text), config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if m := commented.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
		lines = append(lines, line)
	}
	explicit := dropShadowed(lines)
	written, err := config.Parse("written out", []byte(explicit), config.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, explicit)
	}
	if diff := cmp.Diff(plain, written, cmpopts.EquateEmpty(),
		cmp.Transformer("describe", func(v *venues.Venue) venues.Description { return v.Describe() })); diff != "" {
		t.Errorf("the defaults that the example shows are not the real ones: -left out +written out\n%s", diff)
	}
	for _, table := range []any{config.Server{}, config.Tokens{}, config.RTC{}, config.Store{}, config.Bus{}, config.Cluster{}, config.Console{}, config.Rules{}, config.RuleKey{}, config.Log{}, venues.VenueTable{}, venues.Limits{},
		venues.Floor{}, venues.Room{}, venues.Spawn{}, venues.Kind{}, venues.Object{}, venues.Zone{}, venues.Door{}, venues.Rule{}, venues.Cut{}} {
		typ := reflect.TypeOf(table)
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("toml"), ",")
			if !regexp.MustCompile(fmt.Sprintf(`(?m)^#? *\[*([a-z]+\.)?%s\b`, key)).MatchString(text) && !strings.Contains(text, key+", room") {
				t.Errorf("the example does not name %s of %s", key, typ.Name())
			}
		}
	}
}

// dropShadowed joins lines, without those whose key the same table writes again further down.
func dropShadowed(lines []string) string {
	keys := make([]string, len(lines)) // "<number of the table> <key>", or "" for other lines
	last := map[string]int{}
	table := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "[") {
			table++
		}
		if key, _, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(line, "#") {
			keys[i] = fmt.Sprint(table, " ", key)
			last[keys[i]] = i
		}
	}
	var out []string
	for i, line := range lines {
		if keys[i] == "" || last[keys[i]] == i {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(venued.Example)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse("fuzz", data, config.Options{})
		if err != nil {
			if p, ok := err.(venues.Problems); !ok || len(p) == 0 {
				t.Fatalf("the error is a %T: %v", err, err)
			}
			return
		}
		if c.Venue == nil || c.RTC.UDPPort < 0 || c.RTC.UDPPort > 65535 || c.RTC.TCPPort < 0 || c.RTC.TCPPort > 65535 {
			t.Fatalf("accepted: %+v", c)
		}
		if c.Tokens.KeyFile == "" && !c.Server.Loopback() {
			t.Fatalf("accepted without a key on %s", c.Server.Listen)
		}
	})
}
