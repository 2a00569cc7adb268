//! What a call wants done.

use crate::batch::Event;
use crate::{abort, MAX_COMMANDS};

const HEADER: usize = 16;
const SIZE: usize = 64;
const MAGIC: u32 = 0x31434e56; // "VNC1"

const GRANT: u16 = 1;
const DENY: u16 = 2;
const RELEASE: u16 = 3;
const SET_STATE: u16 = 4;
const SET_POSE: u16 = 5;
const DOOR: u16 = 6;
const LOCK: u16 = 7;
const TELEPORT: u16 = 8;
const EMIT: u16 = 9;
const TIMER_START: u16 = 10;
const TIMER_CANCEL: u16 = 11;
const ACCEPT: u16 = 12;

#[derive(Default)]
struct Record {
    kind: u16,
    scope: u16,
    event: u32,
    subject: u64,
    object: u64,
    value: i64,
    at: [i32; 3],
    aux: u64,
}

/// A list of commands under construction. Going past the limits of a call (900 commands, 64 KiB)
/// ends it with a message; the host then tries the batch in smaller parts.
pub struct Commands<'a> {
    output: &'a mut [u8], // header and records
    data: &'a mut [u8],
    count: usize,
    data_len: usize,
}

impl<'a> Commands<'a> {
    pub(crate) fn new(output: &'a mut [u8], data: &'a mut [u8]) -> Self {
        Commands { output, data, count: 0, data_len: 0 }
    }

    /// Gives the object of a grab to who asked, into the hand that asked.
    pub fn grant(&mut self, grab: &Event) {
        self.push(
            Record {
                kind: GRANT,
                event: grab.number(),
                subject: grab.subject(),
                object: grab.object(),
                value: grab.hand() as i64,
                ..Default::default()
            },
            &[],
        )
    }
    /// Denies a request: one of `DENY_...` and a sentence, which may be empty.
    pub fn deny(&mut self, request: &Event, reason: i64, sentence: &str) {
        self.push(
            Record {
                kind: DENY,
                event: request.number(),
                subject: request.subject(),
                object: request.object(),
                value: reason,
                ..Default::default()
            },
            &[sentence.as_bytes()],
        )
    }
    /// Takes the object of a release out of the hand.
    pub fn release(&mut self, request: &Event) {
        self.push(
            Record {
                kind: RELEASE,
                event: request.number(),
                subject: request.subject(),
                object: request.object(),
                ..Default::default()
            },
            &[],
        )
    }
    /// Grants a use without doing anything else.
    pub fn accept(&mut self, request: &Event) {
        self.push(Record { kind: ACCEPT, event: request.number(), ..Default::default() }, &[])
    }
    /// Sets an object's state word; `event` is the number of the request this answers, or 0.
    pub fn set_state(&mut self, event: u32, object: u64, state: u32) {
        self.push(Record { kind: SET_STATE, event, object, value: state as i64, ..Default::default() }, &[])
    }
    /// Puts an object that nobody holds somewhere, in steps of 1/1024 m.
    pub fn set_pose(&mut self, event: u32, object: u64, at: [i32; 3]) {
        self.push(Record { kind: SET_POSE, event, object, at, ..Default::default() }, &[])
    }
    /// Moves a door toward `permille` open.
    pub fn door(&mut self, event: u32, door: u64, permille: u32) {
        self.push(Record { kind: DOOR, event, object: door, value: permille as i64, ..Default::default() }, &[])
    }
    /// Locks or unlocks a door.
    pub fn lock(&mut self, event: u32, door: u64, locked: bool) {
        self.push(Record { kind: LOCK, event, object: door, value: locked as i64, ..Default::default() }, &[])
    }
    /// Puts a user's head somewhere, in steps of 1/1024 m.
    pub fn teleport(&mut self, event: u32, user: u64, at: [i32; 3]) {
        self.push(Record { kind: TELEPORT, event, subject: user, at, ..Default::default() }, &[])
    }
    /// Sends an event with a JSON payload: `audience` is one of `EMIT_...`, `subject` the user, or the
    /// entity in the middle of `EMIT_NEAR`.
    pub fn emit(&mut self, event: u32, audience: i64, subject: u64, name: &str, json: &[u8]) {
        self.push(
            Record { kind: EMIT, event, subject, value: audience, ..Default::default() },
            &[name.as_bytes(), &[0], json],
        )
    }
    /// Starts timer `id` of a subject, anew if it runs, to fire after `after_us` microseconds.
    pub fn timer_start(&mut self, scope: u16, subject: u64, id: u64, after_us: u64) {
        self.push(
            Record { kind: TIMER_START, scope, subject, value: id as i64, aux: after_us, ..Default::default() },
            &[],
        )
    }
    /// Stops timer `id` of a subject, if it runs.
    pub fn timer_cancel(&mut self, scope: u16, subject: u64, id: u64) {
        self.push(Record { kind: TIMER_CANCEL, scope, subject, value: id as i64, ..Default::default() }, &[])
    }

    fn push(&mut self, r: Record, data: &[&[u8]]) {
        let len: usize = data.iter().map(|d| d.len()).sum();
        let start = HEADER + self.count * SIZE;
        if self.count == MAX_COMMANDS || start + SIZE + self.data_len + len > self.output.len() {
            abort("more commands than a call may have");
        }
        let c = &mut self.output[start..start + SIZE];
        c[0..2].copy_from_slice(&r.kind.to_le_bytes());
        c[2..4].copy_from_slice(&r.scope.to_le_bytes());
        c[4..8].copy_from_slice(&r.event.to_le_bytes());
        c[8..16].copy_from_slice(&r.subject.to_le_bytes());
        c[16..24].copy_from_slice(&r.object.to_le_bytes());
        c[24..32].copy_from_slice(&r.value.to_le_bytes());
        for (i, v) in r.at.iter().enumerate() {
            c[32 + 4 * i..36 + 4 * i].copy_from_slice(&v.to_le_bytes());
        }
        // From the start of the data for now: where that lies is known at the end.
        c[44..48].copy_from_slice(&(self.data_len as u32).to_le_bytes());
        c[48..52].copy_from_slice(&(len as u32).to_le_bytes());
        c[52..56].copy_from_slice(&[0; 4]);
        c[56..64].copy_from_slice(&r.aux.to_le_bytes());
        for d in data {
            self.data[self.data_len..self.data_len + d.len()].copy_from_slice(d);
            self.data_len += d.len();
        }
        self.count += 1;
    }

    /// Completes the list and returns its length, 0 for an empty one.
    pub(crate) fn finish(self) -> usize {
        if self.count == 0 {
            return 0;
        }
        let base = HEADER + self.count * SIZE;
        for c in self.output[HEADER..base].chunks_exact_mut(SIZE) {
            let mut raw = [0; 4];
            raw.copy_from_slice(&c[44..48]);
            let offset = match c[48..52] {
                [0, 0, 0, 0] => 0,
                _ => u32::from_le_bytes(raw) + base as u32,
            };
            c[44..48].copy_from_slice(&offset.to_le_bytes());
        }
        self.output[0..4].copy_from_slice(&MAGIC.to_le_bytes());
        self.output[4..6].copy_from_slice(&[0, 0]);
        self.output[6..8].copy_from_slice(&(SIZE as u16).to_le_bytes());
        self.output[8..12].copy_from_slice(&(self.count as u32).to_le_bytes());
        self.output[12..16].copy_from_slice(&[0; 4]);
        self.output[base..base + self.data_len].copy_from_slice(&self.data[..self.data_len]);
        base + self.data_len
    }
}
