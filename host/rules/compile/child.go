package compile

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/tetratelabs/wazero"
)

// answer is the line that a child prints.
type answer struct {
	OK      bool   `json:"ok"`
	Invalid string `json:"invalid,omitempty"` // why the module is refused
	Failed  string `json:"failed,omitempty"`  // why the child could not do its work
	Info    *Info  `json:"info,omitempty"`
}

// maxModule bounds what a child reads, bytes: rewritten modules are up to three times as large as uploads.
const maxModule = 64 << 20

// Child is the main function of a child: args are its arguments behind the command, which Compiler made; in
// is where the module comes from, its length first (8 bytes, little-endian), and is open as long as the parent lives: when it ends
// the process does. It returns the exit code.
func Child(args []string, in io.Reader, out, errOut io.Writer) int {
	debug.SetTraceback("single") // a dump of all goroutines tells a designer nothing
	flags := flag.NewFlagSet("compile-child", flag.ContinueOnError)
	flags.SetOutput(errOut)
	var l Limits
	folder := flags.String("folder", "", "folder of compiled code")
	into := flags.String("into", "", "the child's own folder in it")
	blame := flags.Bool("blame", false, "compile function after function to find the one that takes long")
	flags.Int64Var(&l.Memory, "memory", 0, "limit of the address space, bytes; 0: the default")
	flags.DurationVar(&l.CPU, "cpu", 0, "limit of the processor time; 0: the default")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 || !*blame && (*folder == "" || *into == "") {
		fmt.Fprintln(errOut, "compile-child: want --folder and --into, or --blame, and nothing else: this command is for venued itself, which gives it a module to compile")
		return 2
	}
	if err := limitSelf(l.withDefaults()); err != nil {
		fmt.Fprintln(errOut, "compile-child:", err)
		return 1
	}
	code, err := readModule(in)
	if err != nil {
		fmt.Fprintln(errOut, "compile-child: reading the module:", err)
		return 1
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(3) // the parent has gone
	}()
	if *blame {
		err = blameFunctions(code, out)
	} else {
		err = json.NewEncoder(out).Encode(compileInto(&Folder{*folder}, *into, code))
	}
	if err != nil {
		fmt.Fprintln(errOut, "compile-child:", err)
		return 1
	}
	return 0
}

// readModule reads a length and as many bytes.
func readModule(in io.Reader) ([]byte, error) {
	var head [8]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > maxModule {
		return nil, fmt.Errorf("it has %d bytes, the limit is %d", n, maxModule)
	}
	code := make([]byte, n)
	_, err := io.ReadFull(in, code)
	return code, err
}

// writeModule writes what readModule reads.
func writeModule(out io.Writer, code []byte) error {
	w := bufio.NewWriter(out)
	_ = binary.Write(w, binary.LittleEndian, uint64(len(code))) // kept by the writer
	_, _ = w.Write(code)
	return w.Flush()
}

// compileInto compiles a module in this process by way of the folder into, and places it.
func compileInto(f *Folder, into string, code []byte) (a answer) {
	info := &Info{Format: infoFormat, Module: moduleName(code), Wazero: Version()}
	began := time.Now()
	if err := compileCached(into, code); err != nil {
		if p, ok := errors.AsType[*compilerPanic](err); ok {
			return answer{Failed: p.Error()}
		}
		return answer{Invalid: firstLine(err)}
	}
	info.WallMS = float64(time.Since(began)) / float64(time.Millisecond)
	cpu, peak := usage()
	info.CPUMS, info.PeakBytes = float64(cpu)/float64(time.Millisecond), peak
	if err := f.place(into, info); err != nil {
		return answer{Failed: err.Error()}
	}
	// What is too much is removed with the next one at the latest.
	_ = f.prune(maxFolder, info.Module)
	return answer{OK: true, Info: info}
}

// compilerPanic is a fault of the compiler.
type compilerPanic struct{ value any }

func (p *compilerPanic) Error() string { return fmt.Sprintf("the compiler panicked: %v", p.value) }

// compileCached compiles a module for its entry in a cache folder.
func compileCached(dir string, code []byte) (err error) {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, RuntimeConfig().WithCompilationCache(cache))
	defer func() {
		if v := recover(); v != nil {
			err = &compilerPanic{v}
		}
		err = errors.Join(err, r.Close(ctx), cache.Close(ctx))
	}()
	_, err = r.CompileModule(ctx, code)
	return err
}
