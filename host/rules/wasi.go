package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"
)

// wasiModule is what guests of languages with a runtime (Go) import beside the contract.
const wasiModule = "wasi_snapshot_preview1"

// Error numbers of WASI that the stub returns.
const (
	errnoSuccess = 0
	errnoBadF    = 8
	errnoFault   = 21
	errnoInval   = 28
)

// Limits of single WASI calls: more in one call is refused.
const (
	maxIovecs        = 64
	maxSubscriptions = 64
	maxWritten       = 16 << 10 // bytes; a longer write is cut short, which every language's library expects
	maxRandom        = 64 << 10 // bytes
)

// wasiFunctions is the stub: nothing that it gives depends on the machine. What has no meaning for a rule
// answers "bad file descriptor", as if every descriptor but the two of output were closed.
var wasiFunctions = func() map[string]hostFunction {
	out := map[string]hostFunction{
		"args_get":          {signature{i32 + i32, i32}, wasiNothing},
		"args_sizes_get":    {signature{i32 + i32, i32}, wasiZeroSizes},
		"environ_get":       {signature{i32 + i32, i32}, wasiNothing},
		"environ_sizes_get": {signature{i32 + i32, i32}, wasiZeroSizes},
		"clock_res_get":     {signature{i32 + i32, i32}, wasiClockRes},
		"clock_time_get":    {signature{i32 + i64 + i32, i32}, wasiClockTime},
		"random_get":        {signature{i32 + i32, i32}, wasiRandom},
		"sched_yield":       {signature{"", i32}, wasiNothing},
		"poll_oneoff":       {signature{i32 + i32 + i32 + i32, i32}, wasiPoll},
		"fd_write":          {signature{i32 + i32 + i32 + i32, i32}, wasiWrite},
		"proc_exit":         {signature{i32, ""}, wasiExit},
	}
	for name, params := range map[string]string{
		"fd_advise": i32 + i64 + i64 + i32, "fd_allocate": i32 + i64 + i64, "fd_close": i32, "fd_datasync": i32,
		"fd_fdstat_get": i32 + i32, "fd_fdstat_set_flags": i32 + i32, "fd_fdstat_set_rights": i32 + i64 + i64,
		"fd_filestat_get": i32 + i32, "fd_filestat_set_size": i32 + i64, "fd_filestat_set_times": i32 + i64 + i64 + i32,
		"fd_pread": i32 + i32 + i32 + i64 + i32, "fd_prestat_get": i32 + i32, "fd_prestat_dir_name": i32 + i32 + i32,
		"fd_pwrite": i32 + i32 + i32 + i64 + i32, "fd_read": i32 + i32 + i32 + i32, "fd_readdir": i32 + i32 + i32 + i64 + i32,
		"fd_renumber": i32 + i32, "fd_seek": i32 + i64 + i32 + i32, "fd_sync": i32, "fd_tell": i32 + i32,
		"path_create_directory": i32 + i32 + i32, "path_filestat_get": i32 + i32 + i32 + i32 + i32,
		"path_filestat_set_times": i32 + i32 + i32 + i32 + i64 + i64 + i32, "path_link": i32 + i32 + i32 + i32 + i32 + i32 + i32,
		"path_open":     i32 + i32 + i32 + i32 + i32 + i64 + i64 + i32 + i32,
		"path_readlink": i32 + i32 + i32 + i32 + i32 + i32, "path_remove_directory": i32 + i32 + i32,
		"path_rename": i32 + i32 + i32 + i32 + i32 + i32, "path_symlink": i32 + i32 + i32 + i32 + i32,
		"path_unlink_file": i32 + i32 + i32, "proc_raise": i32,
		"sock_accept": i32 + i32 + i32, "sock_recv": i32 + i32 + i32 + i32 + i32 + i32,
		"sock_send": i32 + i32 + i32 + i32 + i32, "sock_shutdown": i32 + i32,
	} {
		out[name] = hostFunction{signature{params, i32}, wasiBadF}
	}
	return out
}()

func wasiNothing(_ *Instance, _ api.Memory, stack []uint64) { setErrno(stack, errnoSuccess) }

func wasiBadF(_ *Instance, _ api.Memory, stack []uint64) { setErrno(stack, errnoBadF) }

// setErrno takes the stack as it is: a function without parameters still has room for its result.
func setErrno(stack []uint64, errno uint64) { stack[0] = errno }

func wasiZeroSizes(_ *Instance, mem api.Memory, stack []uint64) {
	if !mem.WriteUint32Le(uint32(stack[0]), 0) || !mem.WriteUint32Le(uint32(stack[1]), 0) {
		setErrno(stack, errnoFault)
		return
	}
	setErrno(stack, errnoSuccess)
}

func wasiClockRes(_ *Instance, mem api.Memory, stack []uint64) {
	if !mem.WriteUint64Le(uint32(stack[1]), 1000) {
		setErrno(stack, errnoFault)
		return
	}
	setErrno(stack, errnoSuccess)
}

// wasiClockTime gives the batch's time, plus what the guest slept in this call, to every clock.
func wasiClockTime(in *Instance, mem api.Memory, stack []uint64) {
	if !mem.WriteUint64Le(uint32(stack[2]), in.clockNS) {
		setErrno(stack, errnoFault)
		return
	}
	setErrno(stack, errnoSuccess)
}

func wasiRandom(in *Instance, mem api.Memory, stack []uint64) {
	if uint32(stack[1]) > maxRandom {
		setErrno(stack, errnoInval)
		return
	}
	buf, ok := mem.Read(uint32(stack[0]), uint32(stack[1]))
	if !ok {
		setErrno(stack, errnoFault)
		return
	}
	if in.random == nil {
		var seed [8]byte
		binary.LittleEndian.PutUint64(seed[:], in.seed)
		in.random = rand.NewChaCha8(sha256.Sum256(seed[:]))
	}
	in.charge(len(buf))
	_, _ = in.random.Read(buf) // documented never to fail
	setErrno(stack, errnoSuccess)
}

// wasiPoll lets a guest sleep: its clock moves to the earliest time it waits for, no real
// time passes. Waiting for a descriptor ends at once with an error.
func wasiPoll(in *Instance, mem api.Memory, stack []uint64) {
	const subscriptionSize, eventSize, tagClock, flagAbsolute = 48, 32, 0, 1
	subs, events, n, count := uint32(stack[0]), uint32(stack[1]), uint32(stack[2]), uint32(stack[3])
	if n == 0 || n > maxSubscriptions {
		setErrno(stack, errnoInval)
		return
	}
	list, ok := mem.Read(subs, n*subscriptionSize)
	if !ok {
		setErrno(stack, errnoFault)
		return
	}
	in.charge(len(list))
	list = bytes.Clone(list) // the events may be written over it
	wake, sleeps := uint64(1)<<63, false
	for s := list; len(s) > 0; s = s[subscriptionSize:] {
		if s[8] != tagClock {
			continue
		}
		at := binary.LittleEndian.Uint64(s[24:])
		if binary.LittleEndian.Uint16(s[40:])&flagAbsolute == 0 {
			at = min(at, 1<<62) + in.clockNS
		}
		wake, sleeps = min(wake, at), true
	}
	if sleeps {
		in.clockNS = max(in.clockNS, wake)
	}
	out := make([]byte, 0, n*eventSize)
	for s := list; len(s) > 0; s = s[subscriptionSize:] {
		var e [eventSize]byte
		copy(e[:8], s[:8]) // its user data
		e[10] = s[8]
		if s[8] != tagClock {
			e[8] = errnoBadF
		}
		out = append(out, e[:]...)
	}
	if !mem.Write(events, out) || !mem.WriteUint32Le(count, n) {
		setErrno(stack, errnoFault)
		return
	}
	setErrno(stack, errnoSuccess)
}

// wasiWrite takes what a guest prints, line by line, into its log.
func wasiWrite(in *Instance, mem api.Memory, stack []uint64) {
	fd, vecs, n, written := uint32(stack[0]), uint32(stack[1]), uint32(stack[2]), uint32(stack[3])
	if fd != 1 && fd != 2 {
		setErrno(stack, errnoBadF)
		return
	}
	if n > maxIovecs {
		setErrno(stack, errnoInval)
		return
	}
	list, ok := mem.Read(vecs, n*8)
	if !ok {
		setErrno(stack, errnoFault)
		return
	}
	total := uint32(0)
	for v := list; len(v) > 0; v = v[8:] {
		text, ok := mem.Read(binary.LittleEndian.Uint32(v), binary.LittleEndian.Uint32(v[4:]))
		if !ok {
			setErrno(stack, errnoFault)
			return
		}
		text = text[:min(len(text), int(maxWritten-total))]
		in.charge(len(text))
		in.print(text)
		total += uint32(len(text))
	}
	if !mem.WriteUint32Le(written, total) {
		setErrno(stack, errnoFault)
		return
	}
	setErrno(stack, errnoSuccess)
}

func wasiExit(in *Instance, _ api.Memory, stack []uint64) {
	panic(sys.NewExitError(uint32(stack[0])))
}

// print collects printed bytes into lines. A line that grows too long is cut by the log.
func (in *Instance) print(text []byte) {
	for len(text) > 0 {
		line, rest, ended := bytes.Cut(text, []byte{'\n'})
		if room := maxLogLine - len(in.partial); room > 0 {
			in.partial = append(in.partial, line[:min(room, len(line))]...)
		}
		if ended {
			in.endLine()
		}
		text = rest
	}
}

func (in *Instance) endLine() {
	if len(in.partial) == 0 {
		return
	}
	// Go's runtime says why it ends before it exits; that line is the fault's reason.
	if s := string(in.partial); in.lastWords == "" && (strings.HasPrefix(s, "panic: ") || strings.HasPrefix(s, "fatal error: ")) {
		in.lastWords = escape(in.partial)
	}
	in.logLine(in.partial)
	in.partial = in.partial[:0]
}
