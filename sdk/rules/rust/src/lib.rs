//! Write rule plugins for venued in Rust, without `std` and without allocating.
//!
//! A rule is a type with two functions, made into a plugin by [`export!`]:
//!
//! ```ignore
//! #![no_std]
//! use venued_rules::*;
//!
//! struct Bell { points: i64 }
//!
//! impl Rule for Bell {
//!     fn new(settings: &Init) -> Result<Self, i32> {
//!         Ok(Bell { points: settings.int("points", 1) })
//!     }
//!     fn tick(&mut self, batch: &Batch, out: &mut Commands) {
//!         for event in batch.events() {
//!             if event.kind() == EVENT_USE {
//!                 out.accept(&event);
//!             }
//!         }
//!     }
//! }
//!
//! venued_rules::export!(Bell);
//! ```
//!
//! Build with `--crate-type cdylib --target wasm32-unknown-unknown -C panic=abort`. Positions
//! are lattice steps of 1/1024 m in venue coordinates, y up; times are microseconds of
//! server time. Keep no state in the rule that matters: the host may start it anew
//! before any call. What must last belongs in [`kv`]. A panic ends the call with its
//! message, and with all that the call did.
#![no_std]

mod batch;
mod commands;
mod host;
pub mod kv;

pub use batch::{Batch, Event, Init, Row};
pub use commands::Commands;
pub use host::{abort, log};

#[doc(hidden)]
pub use host::{finish, input, input_buffer};

/// What a plugin decides with.
pub trait Rule: Sized {
    /// Reads the settings. An error ends up in the host's message.
    fn new(settings: &Init) -> Result<Self, i32>;
    /// Answers a batch. The same batch and state must give the same commands.
    fn tick(&mut self, batch: &Batch, out: &mut Commands);
}

/// The largest batch, bytes.
pub const MAX_INPUT: usize = 256 << 10;
/// The largest list of commands, bytes.
pub const MAX_OUTPUT: usize = 64 << 10;
/// The largest number of commands of a call.
pub const MAX_COMMANDS: usize = 900;
/// The largest number of events that a batch of this version can hold.
pub const MAX_EVENTS: usize = (MAX_INPUT - 64) / 88;

pub const EVENT_JOIN: u16 = 1;
pub const EVENT_LEAVE: u16 = 2;
pub const EVENT_ENTER: u16 = 3;
pub const EVENT_EXIT: u16 = 4;
pub const EVENT_GRAB: u16 = 5;
pub const EVENT_RELEASE: u16 = 6;
pub const EVENT_USE: u16 = 7;
pub const EVENT_TIMER: u16 = 8;
pub const EVENT_MESSAGE: u16 = 9;
pub const EVENT_DROPPED: u16 = 10;

pub const ROW_OBJECT: u16 = 1;
pub const ROW_USER: u16 = 2;
pub const ROW_DOOR: u16 = 3;
pub const ROW_ZONE: u16 = 4;

/// The flag of a locked door's row.
pub const DOOR_LOCKED: u16 = 1;

pub const SCOPE_OBJECT: u16 = 1;
pub const SCOPE_USER: u16 = 2;
pub const SCOPE_ZONE: u16 = 3;
pub const SCOPE_REGION: u16 = 4;
pub const SCOPE_VENUE: u16 = 5;

/// Reasons of a denial.
pub const DENY_RULE: i64 = 0;
pub const DENY_HELD: i64 = 1;
pub const DENY_REACH: i64 = 2;
pub const DENY_NOT_ALLOWED: i64 = 4;
pub const DENY_NOT_HELD: i64 = 8;

/// Audiences of an emitted event.
pub const EMIT_USER: i64 = 0;
pub const EMIT_NEAR: i64 = 1;
pub const EMIT_REGION: i64 = 2;

/// Makes a [`Rule`] the plugin that this crate builds.
#[macro_export]
macro_rules! export {
    ($rule:ty) => {
        static mut VENUED_RULE: Option<$rule> = None;

        #[no_mangle]
        pub extern "C" fn venued_abi_1() {}

        #[no_mangle]
        pub extern "C" fn venued_alloc(n: u32) -> *mut u8 {
            $crate::input_buffer(n)
        }

        #[no_mangle]
        pub extern "C" fn venued_init(_at: u32, len: u32) -> i32 {
            match <$rule as $crate::Rule>::new(&$crate::Init::new($crate::input(len))) {
                Ok(rule) => {
                    // A plugin has one thread, and calls do not nest.
                    unsafe { VENUED_RULE = Some(rule) };
                    0
                }
                Err(code) => code,
            }
        }

        #[no_mangle]
        pub extern "C" fn venued_tick(_at: u32, len: u32) -> u64 {
            let rule = match unsafe { VENUED_RULE.as_mut() } {
                Some(rule) => rule,
                None => $crate::abort("venued_tick before venued_init"),
            };
            let batch = $crate::Batch::new($crate::input(len));
            $crate::finish(|out| $crate::Rule::tick(rule, &batch, out))
        }
    };
}
