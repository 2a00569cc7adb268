package compile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"go.uber.org/goleak"

	. "github.com/venued/venued/host/rules/module/wasmtest"
)

// childCommand makes this test program the child; hangCommand a program that never answers. tellingCommand is a child that tells
// a socket when it has its module, parentCommand a parent of such a child.
const (
	childCommand   = "compile-child"
	hangCommand    = "hang"
	tellingCommand = "telling-child"
	parentCommand  = "parent"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case childCommand:
			os.Exit(Child(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
		case hangCommand:
			select {}
		case tellingCommand:
			os.Exit(Child(os.Args[3:], tell(os.Args[2], os.Stdin), os.Stdout, os.Stderr))
		case parentCommand:
			parent(os.Args[2], os.Args[3])
		}
	}
	goleak.VerifyTestMain(m)
}

func self(t testing.TB, command string) []string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{path, command}
}

func testFolder(t testing.TB) *Folder {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "compiled"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// testRuntime is a host's runtime over a folder.
func testRuntime(t testing.TB, f *Folder) wazero.Runtime {
	t.Helper()
	cache, err := f.Cache()
	if err != nil {
		t.Fatal(err)
	}
	r := wazero.NewRuntimeWithConfig(context.Background(), RuntimeConfig().WithCompilationCache(cache))
	t.Cleanup(func() {
		if err := errors.Join(r.Close(context.Background()), cache.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return r
}

// answers returns a module whose function "f" returns a number.
func answers(n int32) []byte {
	return (&Module{Funcs: []Func{{Export: "f", Results: I32, Body: ConstI32(n)}}}).Encode()
}

// call loads a module and calls its "f".
func call(t testing.TB, f *Folder, code []byte) (uint64, error) {
	t.Helper()
	r := testRuntime(t, f)
	compiled, info, err := f.Load(r, code)
	if err != nil {
		return 0, err
	}
	if info.Module != moduleName(code) || info.WallMS <= 0 {
		t.Errorf("info %+v", info)
	}
	mod, err := r.InstantiateModule(context.Background(), compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatal(err)
	}
	out, err := mod.ExportedFunction("f").Call(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return out[0], nil
}

// entries returns the files of a folder, by path in it.
func entries(t testing.TB, f *Folder) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, pattern := range []string{"*", "*/*"} {
		paths, err := filepath.Glob(filepath.Join(f.dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			if b, err := os.ReadFile(p); err == nil {
				rel, _ := filepath.Rel(f.dir, p)
				out[rel] = b
			}
		}
	}
	return out
}

func TestChildCompilesAndHostLoads(t *testing.T) {
	for name, argv := range map[string][]string{"child": self(t, childCommand), "in this process": nil} {
		t.Run(name, func(t *testing.T) {
			f := testFolder(t)
			c := NewCompiler(f, argv, Limits{})
			for n := range int32(3) {
				code := answers(n)
				if _, err := call(t, f, code); !errors.Is(err, ErrMissing) {
					t.Fatalf("before it is compiled: %v", err)
				}
				info, err := c.Compile(context.Background(), code)
				if err != nil {
					t.Fatal(err)
				}
				if child := argv != nil && runtime.GOOS == "linux"; (info.PeakBytes > 1<<20) != child || (info.CPUMS > 0) != true {
					t.Errorf("info %+v", info)
				}
				if got, err := call(t, f, code); err != nil || got != uint64(n) {
					t.Fatalf("%d, %v", got, err)
				}
			}
			if files := entries(t, f); len(files) != 6 {
				t.Errorf("%d files for 3 modules", len(files))
			}
		})
	}
}

// A host never compiles and never writes.
func TestLoadDoesNotCompile(t *testing.T) {
	f := testFolder(t)
	code := answers(1)
	if _, err := NewCompiler(f, nil, Limits{}).Compile(context.Background(), code); err != nil {
		t.Fatal(err)
	}
	// A description that is right about an entry that wazero does not look for: as after a move to another processor.
	other := answers(2)
	info, err := f.verify(moduleName(code))
	if err != nil {
		t.Fatal(err)
	}
	info.Module = moduleName(other)
	text, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.description(info.Module), text, 0o600); err != nil {
		t.Fatal(err)
	}
	before := entries(t, f)
	if _, err := call(t, f, other); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "for this processor") {
		t.Errorf("%v, want that there is none for this processor", err)
	}
	if got, err := call(t, f, code); err != nil || got != 1 {
		t.Errorf("%d, %v", got, err)
	}
	if after := entries(t, f); len(after) != len(before) {
		t.Errorf("loading left %d files, there were %d", len(after), len(before))
	}
}

// Whatever lies in the folder, a host gets its code or is told that it is not there; it is compiled again then.
func TestDamagedEntriesAreMadeAnew(t *testing.T) {
	f := testFolder(t)
	c := NewCompiler(f, nil, Limits{})
	code := answers(7)
	compileIt := func() (entry string) {
		info, err := c.Compile(context.Background(), code)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(f.dir, filepath.FromSlash(info.Entry))
	}
	entry := compileIt()
	good, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	description := f.description(moduleName(code))
	text, err := os.ReadFile(description)
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func([]byte)) []byte {
		b := bytes.Clone(good)
		change(b)
		return b
	}
	edited := func(change func(*Info)) []byte {
		info := new(Info)
		if err := json.Unmarshal(text, info); err != nil {
			t.Fatal(err)
		}
		change(info)
		b, err := json.Marshal(info)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		name  string
		path  string
		bytes []byte
	}{
		{"an entry that is cut", entry, good[:len(good)/2]},
		{"an empty entry", entry, nil},
		{"an entry of other code", entry, with(func(b []byte) { b[len(b)-40] ^= 1 })},
		{"an entry with billions of functions", entry, with(func(b []byte) { copy(b[6+1+b[6]:], "\xff\xff\xff\xff") })},
		{"an entry with something behind it", entry, append(bytes.Clone(good), 0)},
		{"a text", entry, []byte("text")},
		{"a description that is cut", description, text[:len(text)/2]},
		{"an empty description", description, nil},
		{"a description of megabytes", description, bytes.Repeat([]byte{' '}, 2<<20)},
		{"another format", description, edited(func(i *Info) { i.Format = 9 })},
		{"another module", description, edited(func(i *Info) { i.Module = strings.Repeat("0", 64) })},
		{"another version", description, edited(func(i *Info) { i.Wazero = "v0.1.0" })},
		{"a path outside", description, edited(func(i *Info) { i.Entry = "../x" })},
		{"an absolute path", description, edited(func(i *Info) { i.Entry = "/etc/passwd" })},
		{"a path in the folder itself", description, edited(func(i *Info) { i.Entry = moduleName(code) + ".json" })},
	} {
		if err := os.WriteFile(c.path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := call(t, f, code); !errors.Is(err, ErrMissing) || err == ErrMissing {
			t.Errorf("%s: %v, want ErrMissing and why", c.name, err)
		}
		compileIt()
		if got, err := call(t, f, code); err != nil || got != 7 {
			t.Errorf("after %s: %d, %v", c.name, got, err)
		}
	}
}

func FuzzDescription(f *testing.F) {
	f.Add([]byte(`{"format":1,"module":"m","wazero":"` + Version() + `","entry":"a/b","bytes":3,"sha256":"00"}`))
	f.Add([]byte(`{"entry":"../../x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		info, err := parseInfo(text, "m")
		if err == nil && (info.Module != "m" || !filepath.IsLocal(info.Entry) || strings.Count(filepath.Clean(info.Entry), "/") != 1) {
			t.Fatalf("it passed: %+v", info)
		}
	})
}

// slow returns a module that takes the compiler long for its size: one function with many branches and locals that live through all.
// Around it are others.
func slow(blocks int) []byte {
	var body []byte
	const locals = 200
	for i := range blocks {
		from, to := uint32(i%locals), uint32((i*7+3)%locals)
		body = append(body, Cat([]byte{0x02, 0x40}, Op(0x20, from), []byte{0x0d, 0}, Op(0x20, to), Op(0x20, from), []byte{0x6a}, Op(0x21, to), []byte{0x0b})...)
	}
	for i := range uint32(locals) {
		body = append(body, Cat(Op(0x20, i), []byte{0x1a})...)
	}
	small := Func{Body: []byte{0x01}}
	return (&Module{Funcs: []Func{small, small, {Export: "slow", Locals: strings.Repeat(I32, locals), Body: body}, small}}).Encode()
}

// seconds is how much processor time a test's child may take; slow modules take more.
const seconds = time.Second

func TestChildIsHeldToItsTime(t *testing.T) {
	f := testFolder(t)
	c := NewCompiler(f, self(t, childCommand), Limits{CPU: seconds})
	_, err := c.Compile(context.Background(), slow(20_000))
	failure, ok := errors.AsType[*Failure](err)
	if !ok || failure.Kind != Time || failure.Function != 2 || !strings.Contains(failure.Error(), "compiling function 2: took more than 1s of processor time") {
		t.Errorf("%v, want that function 2 took too long", err)
	}
	if files := entries(t, f); len(files) > 0 {
		t.Errorf("it left %d files", len(files))
	}
	if left, _ := filepath.Glob(filepath.Join(f.dir, "*")); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

func TestChildIsHeldToItsMemory(t *testing.T) {
	if raceEnabled || runtime.GOOS != "linux" {
		t.Log("no limit of memory here: nothing to test")
		return
	}
	c := NewCompiler(testFolder(t), self(t, childCommand), Limits{Memory: 400 << 20, CPU: 10 * time.Second})
	_, err := c.Compile(context.Background(), slow(60_000))
	failure, ok := errors.AsType[*Failure](err)
	if !ok || failure.Kind != Memory || !strings.Contains(failure.Reason, "more than 400 MB of memory") {
		t.Errorf("%v, want that it took too much memory", err)
	}
}

func TestChildThatHangs(t *testing.T) {
	f := testFolder(t)
	_, err := NewCompiler(f, self(t, hangCommand), Limits{Wall: 200 * time.Millisecond}).Compile(context.Background(), answers(1))
	failure, ok := errors.AsType[*Failure](err)
	if !ok || failure.Kind != Time || !strings.Contains(failure.Reason, "longer than 200ms") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewCompiler(f, self(t, hangCommand), Limits{}).Compile(ctx, answers(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := NewCompiler(f, []string{"/nowhere/venued"}, Limits{}).Compile(context.Background(), answers(1)); err == nil || !strings.Contains(err.Error(), "starting the process") {
		t.Errorf("%v", err)
	}
	if _, err := NewCompiler(f, []string{"/bin/false"}, Limits{}).Compile(context.Background(), answers(1)); err == nil || !strings.Contains(err.Error(), "the process that compiles failed") {
		t.Errorf("%v", err)
	}
	if _, err := NewCompiler(f, []string{"/bin/true"}, Limits{}).Compile(context.Background(), answers(1)); err == nil {
		t.Error("a child that says nothing is as good as one that compiles")
	}
}

func TestInvalidModules(t *testing.T) {
	for name, argv := range map[string][]string{"child": self(t, childCommand), "in this process": nil} {
		c := NewCompiler(testFolder(t), argv, Limits{})
		wrong := (&Module{Funcs: []Func{{Export: "f", Results: I32, Body: ConstI64(1)}}}).Encode()
		_, err := c.Compile(context.Background(), wrong)
		failure, ok := errors.AsType[*Failure](err)
		if !ok || failure.Kind != Invalid || !strings.Contains(failure.Reason, `"f"`) {
			t.Errorf("%s: %v, want that f is invalid", name, err)
		}
	}
}

func TestChildRefusesItsArguments(t *testing.T) {
	for _, args := range [][]string{{}, {"--folder", "x"}, {"--blame", "x"}, {"--nonsense"}} {
		var errOut bytes.Buffer
		if code := Child(args, strings.NewReader(""), &errOut, &errOut); code != 2 || errOut.Len() == 0 {
			t.Errorf("%v: code %d, %q", args, code, errOut.String())
		}
	}
	for _, in := range []string{"", "\x05", "\xff\xff\xff\xff\xff\xff\xff\xff", "\x05\x00\x00\x00\x00\x00\x00\x00abc"} {
		if _, err := readModule(strings.NewReader(in)); err == nil {
			t.Errorf("%q was read", in)
		}
	}
}

// endless is a module that takes the compiler far longer than a test.
var endless = sync.OnceValue(func() []byte { return slow(60_000) })

// parent compiles what takes long, in a child that tells a socket of itself.
func parent(dir, socket string) {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	f, err := Open(dir)
	if err != nil {
		panic(err)
	}
	_, err = NewCompiler(f, []string{path, tellingCommand, socket}, Limits{}).Compile(context.Background(), endless())
	panic(fmt.Sprint("it was not to end: ", err))
}

// telling is a reader that tells a socket when the module has been read.
type telling struct {
	io.Reader
	to   net.Conn
	left int
}

func tell(socket string, in io.Reader) *telling {
	to, err := net.Dial("unix", socket)
	if err != nil {
		panic(err)
	}
	return &telling{in, to, 8 + len(endless())}
}

func (r *telling) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.left -= n; n > 0 && r.left == 0 {
		if _, err := r.to.Write([]byte{1}); err != nil {
			panic(err)
		}
	}
	return n, err
}

// A child ends with its parent, however that ends: the child's end of the socket is closed then.
func TestNoChildOutlivesItsParent(t *testing.T) {
	f := testFolder(t)
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	parent := exec.Command(self(t, parentCommand)[0], parentCommand, f.dir, socket)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	defer parent.Wait()
	child, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	if err := child.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	var b [1]byte
	if _, err := child.Read(b[:]); err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := child.Read(b[:]); err != io.EOF {
		t.Errorf("the child lives on: %v", err)
	}
}

func TestPruneKeepsTheNewest(t *testing.T) {
	f := testFolder(t)
	c := NewCompiler(f, nil, Limits{})
	var infos []*Info
	old := time.Now().Add(-10 * time.Hour)
	for n := range 5 {
		info, err := c.Compile(context.Background(), answers(int32(n)))
		if err != nil {
			t.Fatal(err)
		}
		infos = append(infos, info)
		if err := os.Chtimes(f.description(info.Module), old.Add(time.Duration(n)*time.Hour), old.Add(time.Duration(n)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Dir(filepath.Join(f.dir, filepath.FromSlash(infos[0].Entry)))
	for name, at := range map[string]time.Time{filepath.Join(dir, "stray"): old, filepath.Join(dir, "fresh"): time.Now(), filepath.Join(f.dir, "foreign.json"): old} {
		if err := os.WriteFile(name, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.prune(infos[0].Bytes+infos[3].Bytes+infos[4].Bytes, infos[0].Module); err != nil {
		t.Fatal(err)
	}
	for n, stays := range []bool{true, false, false, true, true} {
		if _, err := f.verify(infos[n].Module); (err == nil) != stays {
			t.Errorf("entry %d: %v, want that it stays: %v", n, err, stays)
		}
	}
	files := entries(t, f)
	if len(files) != 7 {
		t.Errorf("%d files stay, want 3 entries, their descriptions and the fresh one", len(files))
	}
}
