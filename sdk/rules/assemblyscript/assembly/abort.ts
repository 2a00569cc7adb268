/** How a call ends early. It is a file of its own because the compiler's --use abort names it. */

@external("venued1", "abort")
declare function hostAbort(at: usize, length: u32): void;

@external("venued1", "log")
declare function hostLog(at: usize, length: u32): void;

// Room for the message's characters as bytes.
const MESSAGE: usize = memory.data(200);

/** Copies the text's ASCII characters, others as "?", and returns how many there are. */
function copy(text: string): u32 {
  const n = min(text.length, 200);
  for (let i = 0; i < n; i++) {
    const c = text.charCodeAt(i);
    store<u8>(MESSAGE + i, (c < 0x80 ? c : 0x3f) as u8);
  }
  return n;
}

/** Writes a line of ASCII text to the host's log, which has a budget of 1 KiB a second. */
export function log(line: string): void {
  hostLog(MESSAGE, copy(line));
}

/** Ends the call with a message; nothing that the call did takes effect. */
export function fail(message: string): void {
  hostAbort(MESSAGE, copy(message));
  unreachable();
}

/** What failed assertions and thrown errors call. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  fail(message ? message : "an assertion failed");
}
