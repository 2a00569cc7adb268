//! What a call wants done.

use crate::abort;
use crate::text::copy;
use crate::schema::*;

const HEADER: usize = COMMAND_HEADER_SIZE;
const SIZE: usize = COMMAND_SIZE;

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
            Command {
                kind: CMD_GRANT,
                event: grab.number(),
                subject: grab.subject(),
                object: grab.object(),
                value: grab.hand() as i64,
                ..Default::default()
            },
        )
    }
    /// Denies a request: one of `DENY_...` and a sentence, which may be empty.
    pub fn deny(&mut self, request: &Event, reason: i64, sentence: &str) {
        let deny = Command {
            kind: CMD_DENY,
            event: request.number(),
            subject: request.subject(),
            object: request.object(),
            value: reason,
            ..Default::default()
        };
        if sentence.is_empty() {
            return self.push(deny);
        }
        self.push_data(deny, &[sentence.as_bytes()])
    }
    /// Takes the object of a release out of the hand.
    pub fn release(&mut self, request: &Event) {
        self.push(
            Command {
                kind: CMD_RELEASE,
                event: request.number(),
                subject: request.subject(),
                object: request.object(),
                ..Default::default()
            },
        )
    }
    /// Takes an object out of the hand that holds it, whoever asked for that.
    pub fn take(&mut self, event: u32, object: u64) {
        self.push(Command { kind: CMD_RELEASE, event, object, ..Default::default() })
    }
    /// Grants a use without doing anything else.
    pub fn accept(&mut self, request: &Event) {
        self.push(Command { kind: CMD_ACCEPT, event: request.number(), ..Default::default() })
    }
    /// Sets an object's state word; `event` is the number of the request this answers, or 0.
    pub fn set_state(&mut self, event: u32, object: u64, state: u32) {
        self.push(Command { kind: CMD_SET_STATE, event, object, value: state as i64, ..Default::default() })
    }
    /// Puts an object that nobody holds somewhere, in steps of 1/1024 m.
    pub fn set_pose(&mut self, event: u32, object: u64, at: [i32; 3]) {
        self.push(Command { kind: CMD_SET_POSE, event, object, x: at[0], y: at[1], z: at[2], ..Default::default() })
    }
    /// Moves a door toward `permille` open.
    pub fn door(&mut self, event: u32, door: u64, permille: u32) {
        self.push(Command { kind: CMD_DOOR, event, object: door, value: permille as i64, ..Default::default() })
    }
    /// Locks or unlocks a door.
    pub fn lock(&mut self, event: u32, door: u64, locked: bool) {
        self.push(Command { kind: CMD_LOCK, event, object: door, value: locked as i64, ..Default::default() })
    }
    /// Puts a user's head somewhere, in steps of 1/1024 m.
    pub fn teleport(&mut self, event: u32, user: u64, at: [i32; 3]) {
        self.push(Command { kind: CMD_TELEPORT, event, subject: user, x: at[0], y: at[1], z: at[2], ..Default::default() })
    }
    /// Sends an event with a JSON payload: `audience` is one of `EMIT_...`, `subject` the user, or the
    /// entity in the middle of `EMIT_NEAR`.
    pub fn emit(&mut self, event: u32, audience: i64, subject: u64, name: &str, json: &[u8]) {
        self.push_data(
            Command { kind: CMD_EMIT, event, subject, value: audience, ..Default::default() },
            &[name.as_bytes(), &[0], json],
        )
    }
    /// Starts timer `id` of a subject, anew if it runs, to fire after `after_us` microseconds; `event` is the number of the event
    /// that it is started because of, or 0. When the rule fails as the timer fires, that is held against whoever the event was of.
    pub fn timer_start(&mut self, event: u32, scope: u16, subject: u64, id: u64, after_us: u64) {
        self.push(
            Command { kind: CMD_TIMER_START, event, scope, subject, value: id as i64, aux: after_us, ..Default::default() },
        )
    }
    /// Stops timer `id` of a subject, if it runs.
    pub fn timer_cancel(&mut self, scope: u16, subject: u64, id: u64) {
        self.push(Command { kind: CMD_TIMER_CANCEL, scope, subject, value: id as i64, ..Default::default() })
    }

    /// Adds `delta` to a user's score on a board.
    pub fn score(&mut self, event: u32, user: u64, delta: i64, board: &str) {
        self.push_data(
            Command { kind: CMD_SCORE, event, subject: user, value: delta, ..Default::default() },
            &[board.as_bytes()],
        )
    }
    /// Sends a message to another rule in this region, which gets it as [`EVENT_SIGNAL`] with the next tick's batch.
    pub fn signal(&mut self, event: u32, rule: &str, topic: &str, payload: &[u8]) {
        self.send(event, SCOPE_REGION, 0, rule, topic, payload)
    }
    /// Sends a message to the rule in another region, by its number.
    pub fn signal_region(&mut self, event: u32, region: u32, rule: &str, topic: &str, payload: &[u8]) {
        self.send(event, SCOPE_REGION, region as u64 + 1, rule, topic, payload)
    }
    /// Sends a message to the rule in the venue's home region.
    pub fn signal_venue(&mut self, event: u32, rule: &str, topic: &str, payload: &[u8]) {
        self.send(event, SCOPE_VENUE, 0, rule, topic, payload)
    }

    fn send(&mut self, event: u32, scope: u16, subject: u64, rule: &str, topic: &str, payload: &[u8]) {
        self.push_data(
            Command { kind: CMD_SIGNAL, scope, event, subject, ..Default::default() },
            &[rule.as_bytes(), &[0], topic.as_bytes(), &[0], payload],
        )
    }

    /// Adds a command without data. It is inlined so that the record is written at once, not copied.
    #[inline]
    fn push(&mut self, r: Command) {
        r.put(self.record(0));
    }

    /// Adds a command with data that consists of parts.
    fn push_data(&mut self, mut r: Command, data: &[&[u8]]) {
        let len: usize = data.iter().map(|d| d.len()).sum();
        let start = self.data_len;
        let record = self.record(len);
        if len > 0 {
            // From the start of the data for now: where that lies is known at the end.
            r.data_offset = start as u32;
            r.data_len = len as u32;
        }
        r.put(record);
        for d in data {
            // There is room for all of them, and none lies in it: `record` has checked the sum, and nobody else can have this memory.
            unsafe { copy(d.as_ptr(), self.data.as_mut_ptr().add(self.data_len), d.len()) };
            self.data_len += d.len();
        }
    }

    /// The next record of a list that is to have that many more bytes of data.
    #[inline]
    fn record(&mut self, data: usize) -> &mut [u8; SIZE] {
        let start = HEADER + self.count * SIZE;
        if self.count == MAX_COMMANDS || data > MAX_OUTPUT || start + SIZE + self.data_len + data > self.output.len() {
            abort("more commands than a call may have");
        }
        self.count += 1;
        // The record ends before the output does: that was checked above.
        unsafe { &mut *(self.output.as_mut_ptr().add(start) as *mut [u8; SIZE]) }
    }

    /// Completes the list and returns its length, 0 for an empty one.
    pub(crate) fn finish(self) -> usize {
        if self.count == 0 {
            return 0;
        }
        let base = HEADER + self.count * SIZE;
        if self.data_len > 0 {
            for c in self.output[HEADER..base].chunks_exact_mut(SIZE) {
                let mut raw = [0; 4];
                raw.copy_from_slice(&c[COMMAND_DATA_AT..COMMAND_DATA_AT + 4]);
                let offset = match c[COMMAND_DATA_AT + 4..COMMAND_DATA_AT + 8] {
                    [0, 0, 0, 0] => 0,
                    _ => u32::from_le_bytes(raw) + base as u32,
                };
                c[COMMAND_DATA_AT..COMMAND_DATA_AT + 4].copy_from_slice(&offset.to_le_bytes());
            }
        }
        self.output[0..4].copy_from_slice(&MAGIC_COMMANDS.to_le_bytes());
        self.output[4..6].copy_from_slice(&MINOR.to_le_bytes());
        self.output[6..8].copy_from_slice(&(SIZE as u16).to_le_bytes());
        self.output[8..12].copy_from_slice(&(self.count as u32).to_le_bytes());
        self.output[12..16].copy_from_slice(&[0; 4]);
        self.output[base..base + self.data_len].copy_from_slice(&self.data[..self.data_len]);
        base + self.data_len
    }
}
