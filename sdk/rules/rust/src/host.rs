//! The memory that host and plugin share, the host's calls, and panics.

use crate::commands::Commands;
use crate::{MAX_INPUT, MAX_OUTPUT};
use core::fmt::{self, Write};

#[link(wasm_import_module = "venued1")]
extern "C" {
    #[link_name = "log"]
    fn host_log(at: *const u8, len: usize);
    #[link_name = "abort"]
    fn host_abort(at: *const u8, len: usize);
}

#[repr(align(8))]
struct Aligned<const N: usize>([u8; N]);

// A plugin has one thread and calls do not nest, so each buffer has one user at a time.
static mut INPUT: Aligned<MAX_INPUT> = Aligned([0; MAX_INPUT]);
static mut OUTPUT: Aligned<MAX_OUTPUT> = Aligned([0; MAX_OUTPUT]);
static mut DATA: Aligned<MAX_OUTPUT> = Aligned([0; MAX_OUTPUT]);

/// The buffer that the host writes batches to, or null when it wants a larger one.
#[doc(hidden)]
pub fn input_buffer(n: u32) -> *mut u8 {
    if n as usize > MAX_INPUT {
        return core::ptr::null_mut();
    }
    unsafe { INPUT.0.as_mut_ptr() }
}

/// The first `len` bytes of what the host wrote.
#[doc(hidden)]
pub fn input(len: u32) -> &'static [u8] {
    unsafe { &INPUT.0[..len as usize] }
}

/// Runs `f` over an empty list and returns the list as `venued_tick` does.
#[doc(hidden)]
pub fn finish(f: impl FnOnce(&mut Commands)) -> u64 {
    let (output, data) = unsafe { (&mut OUTPUT.0, &mut DATA.0) };
    let at = output.as_ptr() as u64;
    let mut out = Commands::new(output, data);
    f(&mut out);
    match out.finish() {
        0 => 0,
        n => at << 32 | n as u64,
    }
}

/// Writes a line to the host's log, which has a budget of 1 KiB a second.
pub fn log(line: &str) {
    unsafe { host_log(line.as_ptr(), line.len()) }
}

/// Ends the call with a message; nothing that the call did takes effect.
pub fn abort(message: &str) -> ! {
    unsafe { host_abort(message.as_ptr(), message.len()) }
    core::arch::wasm32::unreachable()
}

/// A message of bounded length; what does not fit is cut.
struct Message {
    text: [u8; 200],
    len: usize,
}

impl Write for Message {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let n = s.len().min(self.text.len() - self.len);
        self.text[self.len..self.len + n].copy_from_slice(&s.as_bytes()[..n]);
        self.len += n;
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    let mut m = Message { text: [0; 200], len: 0 };
    let _ = write!(m, "{}", info);
    unsafe { host_abort(m.text.as_ptr(), m.len) }
    core::arch::wasm32::unreachable()
}
