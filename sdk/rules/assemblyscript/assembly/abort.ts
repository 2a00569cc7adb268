/** How a call ends early. It is a file of its own because the compiler's --use abort names it. */

// @ts-ignore: decorator
@external("venued1", "abort")
declare function hostAbort(at: usize, length: u32): void;

// @ts-ignore: decorator
@external("venued1", "log")
declare function hostLog(at: usize, length: u32): void;

// Room for a message's characters as bytes.
const ROOM: u32 = 200;
const MESSAGE: usize = memory.data(200);

/** Appends the text's ASCII characters, others as "?", as far as there is room; returns the new length. */
function append(length: u32, text: string): u32 {
  for (let i = 0; i < text.length && length < ROOM; i++) {
    const c = text.charCodeAt(i);
    store<u8>(MESSAGE + length++, (c < 0x80 ? c : 0x3f) as u8);
  }
  return length;
}

/** Writes a line of ASCII text, of at most 200 characters, to the host's log, which has a budget of 1 KiB a second. */
export function log(line: string): void {
  hostLog(MESSAGE, append(0, line));
}

/** Ends the call with a message; nothing that the call did takes effect. */
export function fail(message: string): void {
  hostAbort(MESSAGE, append(0, message));
  unreachable();
}

/**
 * What failed assertions and thrown errors call: ends the call with their message, and the file and line where they stand. It
 * allocates nothing, since there may be no memory left.
 */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  let n = append(0, message ? message : "an assertion failed");
  if (file) {
    let name = file.length; // behind the last slash
    while (name > 0 && file.charCodeAt(name - 1) != 0x2f) name--;
    n = append(n, " (");
    for (; name < file.length && n < ROOM; name++) store<u8>(MESSAGE + n++, file.charCodeAt(name) as u8);
    n = append(n, ":");
    let size: u32 = 1;
    while (line / size >= 10) size *= 10;
    for (; size > 0 && n < ROOM; size /= 10) store<u8>(MESSAGE + n++, (0x30 + ((line / size) % 10)) as u8);
    n = append(n, ")");
  }
  hostAbort(MESSAGE, n);
  unreachable();
}
