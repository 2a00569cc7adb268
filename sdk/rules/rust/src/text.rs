//! Texts that are put together without allocating.

use crate::abort;
use core::fmt;

/// A text of at most `N` bytes, to be written to with `write!` (bring `core::fmt::Write` into scope). What does not fit
/// ends the call with a message.
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    /// An empty text.
    pub fn new() -> Self {
        Text { bytes: [0; N], len: 0 }
    }
    /// What was written so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
    /// What was written so far.
    pub fn text(&self) -> &str {
        // Only whole texts are appended.
        unsafe { core::str::from_utf8_unchecked(self.bytes()) }
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Text::new()
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if s.len() > N - self.len {
            abort("a text does not fit its room");
        }
        self.bytes[self.len..self.len + s.len()].copy_from_slice(s.as_bytes());
        self.len += s.len();
        Ok(())
    }
}
