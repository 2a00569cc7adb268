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
#![warn(missing_docs)]

mod batch;
mod commands;
mod host;
pub mod kv;
mod schema;
mod text;

pub use batch::{Batch, Init};
pub use commands::Commands;
pub use host::{abort, log};
pub use schema::*;
pub use text::Text;

#[doc(hidden)]
pub use host::{finish, input, input_buffer};

/// What a plugin decides with.
pub trait Rule: Sized {
    /// Reads the settings. An error ends up in the host's message.
    fn new(settings: &Init) -> Result<Self, i32>;
    /// Answers a batch. The same batch and state must give the same commands.
    fn tick(&mut self, batch: &Batch, out: &mut Commands);
}

/// The largest number of events that a batch of this version can hold.
pub const MAX_EVENTS: usize = (MAX_INPUT - HEADER_SIZE) / EVENT_SIZE;

/// The flag of a locked door's row.
pub const DOOR_LOCKED: u16 = FLAG_LOCKED;

/// Makes a [`Rule`] the plugin that this crate builds. With a second argument, a function from `i32` to `Result<(), i32>`, the plugin
/// takes over state of another schema version: it is called after [`Rule::new`] with that version, and the whole of
/// the region's state open to [`kv`]; an error refuses the change, and all stays as it was.
#[macro_export]
macro_rules! export {
    ($rule:ty, $migrate:path) => {
        $crate::export!($rule);

        #[no_mangle]
        pub extern "C" fn venued_migrate(from: i32) -> i32 {
            let migrate: fn(i32) -> Result<(), i32> = $migrate;
            match migrate(from) {
                Ok(()) => 0,
                Err(code) => code,
            }
        }
    };
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
