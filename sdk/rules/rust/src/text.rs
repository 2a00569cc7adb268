//! Texts that are put together without allocating.

use crate::abort;
use core::fmt;
use core::mem::MaybeUninit;

/// A text of at most `N` bytes. What does not fit ends the call with a message. [`Text::add`], [`Text::number`] and [`Text::decimal`]
/// append what most rules need; `write!` (bring `core::fmt::Write` into scope) whatever else can be formatted, for several times the fuel.
pub struct Text<const N: usize> {
    bytes: [MaybeUninit<u8>; N], // the first len are written
    len: usize,
}

impl<const N: usize> Text<N> {
    /// An empty text.
    pub fn new() -> Self {
        Text { bytes: [MaybeUninit::uninit(); N], len: 0 }
    }
    /// What was written so far.
    pub fn bytes(&self) -> &[u8] {
        unsafe { core::slice::from_raw_parts(self.bytes.as_ptr() as *const u8, self.len) }
    }
    /// What was written so far.
    pub fn text(&self) -> &str {
        // Only whole texts are appended.
        unsafe { core::str::from_utf8_unchecked(self.bytes()) }
    }
    /// Appends a text.
    #[inline(never)] // once in a module is enough
    pub fn add(&mut self, text: &str) -> &mut Self {
        if text.len() > N - self.len {
            abort("a text does not fit its room");
        }
        // Between them lie other bytes than those of this text, and there is room: see above.
        unsafe { copy(text.as_ptr(), self.bytes.as_mut_ptr().add(self.len) as *mut u8, text.len()) };
        self.len += text.len();
        self
    }
    /// Appends a number in decimal, with its sign when it is below 0.
    pub fn number(&mut self, n: i64) -> &mut Self {
        if n < 0 {
            self.add("-");
        }
        self.decimal(n.unsigned_abs())
    }
    /// Appends a number in decimal.
    #[inline(never)] // once in a module is enough
    pub fn decimal(&mut self, mut n: u64) -> &mut Self {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (n % 10) as u8;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        self.add(unsafe { core::str::from_utf8_unchecked(&digits[at..]) })
    }
}

/// Copies a few bytes, eight at a time: a call of the library's copy would cost more than that.
#[inline]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    let mut i = 0;
    while i + 8 <= len {
        (to.add(i) as *mut u64).write_unaligned((from.add(i) as *const u64).read_unaligned());
        i += 8;
    }
    while i < len {
        *to.add(i) = *from.add(i);
        i += 1;
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Text::new()
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        self.add(s);
        Ok(())
    }
}
