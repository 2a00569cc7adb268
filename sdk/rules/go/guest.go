//go:build wasip1

package rule

import "unsafe"

// One batch and one list at a time: a plugin has one thread and calls do not nest. Both buffers stay
// reachable, and Go's collector does not move what it allocated.
var (
	input []byte
	out   Commands
	onNew func(*Init) error
	on    func(*Batch, *Commands)
)

// Handle registers the plugin's two functions; call it from an init function. start reads the
// settings, its error refuses them; tick answers a batch.
func Handle(start func(settings *Init) error, tick func(batch *Batch, out *Commands)) {
	onNew, on = start, tick
}

//go:wasmexport venued_abi_1
func marker() {}

//go:wasmexport venued_alloc
func alloc(n uint32) uint32 {
	if n > MaxInput {
		return 0
	}
	input = make([]byte, n)
	return address(input)
}

//go:wasmexport venued_init
func start(_, n uint32) int32 {
	if onNew == nil || on == nil {
		Log("the plugin did not call rule.Handle in an init function")
		return 1
	}
	defer EndOnPanic()
	if err := onNew(NewInit(input[:n])); err != nil {
		Log(err.Error())
		return 1
	}
	return 0
}

//go:wasmexport venued_tick
func tick(_, n uint32) uint64 {
	defer EndOnPanic()
	out.Reset()
	on(NewBatch(input[:n]), &out)
	b := out.Bytes()
	if len(b) == 0 {
		return 0
	}
	return uint64(address(b))<<32 | uint64(len(b))
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

// EndOnPanic, when it is deferred, ends a call that panicked with the panic's message and where it was. The kit's own exports do
// that: otherwise the runtime's report of all goroutines would fill the log, and the fault would only say that the module left.
func EndOnPanic() {
	if r := recover(); r != nil {
		Abort(panicMessage(r))
	}
}

//go:wasmimport venued1 abort
func hostAbort(at unsafe.Pointer, n uint32)

//go:wasmimport venued1 log
func hostLog(at unsafe.Pointer, n uint32)

//go:wasmimport venued1 kv_get
func hostGet(scope uint32, subject uint64, key unsafe.Pointer, keyLen uint32, value unsafe.Pointer, room uint32) int32

//go:wasmimport venued1 kv_put
func hostPut(scope uint32, subject uint64, key unsafe.Pointer, keyLen uint32, value unsafe.Pointer, n uint32) int32

//go:wasmimport venued1 kv_del
func hostDel(scope uint32, subject uint64, key unsafe.Pointer, keyLen uint32) int32

// Log writes a line to the host's log, which has a budget of 1 KiB a second.
func Log(line string) { hostLog(unsafe.Pointer(unsafe.StringData(line)), uint32(len(line))) }

// Abort ends the call with a message; nothing that the call did takes effect.
func Abort(message string) {
	hostAbort(unsafe.Pointer(unsafe.StringData(message)), uint32(len(message)))
	for { // the host does not come back from there
	}
}

// Get reads a value into buf and returns its length. When that is larger than buf, nothing was copied. A
// negative number is one of the KV constants.
func Get(scope Scope, subject uint64, key string, buf []byte) int {
	return int(hostGet(uint32(scope), subject, unsafe.Pointer(unsafe.StringData(key)), uint32(len(key)),
		unsafe.Pointer(unsafe.SliceData(buf)), uint32(len(buf))))
}

// Put writes a value, which takes effect with the call's commands, and returns 0 or a KV constant.
func Put(scope Scope, subject uint64, key string, value []byte) int {
	return int(hostPut(uint32(scope), subject, unsafe.Pointer(unsafe.StringData(key)), uint32(len(key)),
		unsafe.Pointer(unsafe.SliceData(value)), uint32(len(value))))
}

// Del removes a key and returns 0 or a KV constant.
func Del(scope Scope, subject uint64, key string) int {
	return int(hostDel(uint32(scope), subject, unsafe.Pointer(unsafe.StringData(key)), uint32(len(key))))
}
