// Generated from abi/schema.json by go generate ./abi: do not edit.
//! Numbers and records of the contract.

/// The minor version of the contract that this kit was made from.
pub const MINOR: u16 = 1;
/// The first four bytes, "VNB1".
pub const MAGIC_BATCH: u32 = 0x31424e56;
/// The first four bytes, "VNC1".
pub const MAGIC_COMMANDS: u32 = 0x31434e56;
/// The first four bytes, "VNI1".
pub const MAGIC_INIT: u32 = 0x31494e56;

/// Bytes of a batch.
pub const MAX_INPUT: usize = 256 << 10;
/// Bytes of the commands of a call.
pub const MAX_OUTPUT: usize = 64 << 10;
/// Commands of a call.
pub const MAX_COMMANDS: usize = 900;
/// Bytes of keys and values, a rule and region.
pub const MAX_STATE: usize = 256 << 10;
/// Bytes of a key, of a topic, of a setting's name.
pub const MAX_KEY: usize = 128;
/// Bytes of a value, of a setting's text.
pub const MAX_VALUE: usize = 16 << 10;
/// Bytes of payload of an event to or from a client, and of a signal.
pub const MAX_MESSAGE: usize = 1 << 10;
/// Bytes of log, a rule and second.
pub const MAX_LOG_BYTES: usize = 1 << 10;
/// Timers of a rule and region.
pub const MAX_TIMERS: usize = 1 << 10;
/// Signals that wait for a rule in a region.
pub const MAX_SIGNALS: usize = 256;
/// Rate of a view of poses, a second.
pub const MAX_POSE_HZ: usize = 30;
/// The 1 of a pose's rotation.
pub const ROTATION_ONE: i32 = 32_767;
/// Bytes of a record of this minor version.
pub const HEADER_SIZE: usize = 64;
/// Bytes of a record of this minor version.
pub const EVENT_SIZE: usize = 88;
/// Bytes of a record of this minor version.
pub const ROW_SIZE: usize = 56;
/// Bytes of a record of this minor version.
pub const COMMAND_HEADER_SIZE: usize = 16;
/// Bytes of a record of this minor version.
pub const COMMAND_SIZE: usize = 64;
/// Bytes of a record of this minor version.
pub const SETTING_SIZE: usize = 32;

// EventKind says what happened. Kinds are never renumbered; skip those that you do not know.
/// Somebody came into the region. `subject`: user; `at`: head position; `aux`: region that handed the person
/// over, its number + 1; 0 for somebody who came into the venue; `data`: display name.
pub const EVENT_JOIN: u16 = 1;
/// Somebody left the region. `subject`: user; `aux`: region that the person is handed over to, its number + 1; 0
/// for somebody who leaves the venue.
pub const EVENT_LEAVE: u16 = 2;
/// A person's head came into a zone. `subject`: user; `object`: zone; `value`: people in the zone after this
/// tick; `aux`: door tied to the zone, or 0; `at`: head position.
pub const EVENT_ENTER: u16 = 3;
/// A person left a zone, or the venue. `subject`: user; `object`: zone; `value`: people in the zone after this
/// tick; `aux`: door tied to the zone, or 0; `at`: head position.
pub const EVENT_EXIT: u16 = 4;
/// Request to take an object, answered by grant or deny. Requests for one object that were gathered in a window
/// come in one batch, ordered by stamp, then arrival, then user. `subject`: user; `object`: object; `class`: its
/// kind; `hand`: the hand; `at`: the hand's position; `dist`: from hand to object; `holder`: who holds it, or 0;
/// `stamp`: when the hand closed (clamped).
pub const EVENT_GRAB: u16 = 5;
/// Request to let go, answered by release or deny. `subject`: user; `object`: object; `class`: its kind; `hand`:
/// the hand; `at`: the hand's position.
pub const EVENT_RELEASE: u16 = 6;
/// Request to use an object, answered by any command that names it, or deny. `subject`: user; `object`: object;
/// `class`: its kind; `hand`: the hand; `at`: the hand's position; `dist`: from hand to object; `holder`: who
/// holds it, or 0; `value`: the object's state.
pub const EVENT_USE: u16 = 7;
/// A timer fired. `scope`: as started; `subject`: as started; `value`: its id; `aux`: due time (it may be
/// overdue); `object`: subject, for zones; `count`: people in it, for zones.
pub const EVENT_TIMER: u16 = 8;
/// A client's message. `subject`: user; `data`: topic, a zero byte, payload (opaque to the host).
pub const EVENT_MESSAGE: u16 = 9;
/// The host took an object out of a hand: its holder left, or an admin took it. `subject`: user; `object`:
/// object; `class`: its kind.
pub const EVENT_DROPPED: u16 = 10;
/// A message from another rule. `object`: the sender's region number + 1; `data`: the sending rule's name in the
/// venue, a zero byte, topic, a zero byte, payload. Since minor version 1.
pub const EVENT_SIGNAL: u16 = 11;

// RowKind says what a view row shows.
/// An object. `id`: object; `class`: its kind; `at`: position; `state`: its state word; `holder`: who holds it,
/// or 0.
pub const ROW_OBJECT: u16 = 1;
/// A person. `id`: user; `at`: head position.
pub const ROW_USER: u16 = 2;
/// A door. `id`: door; `state`: permille open; `flags`: locked.
pub const ROW_DOOR: u16 = 3;
/// A zone. `id`: zone; `state`: people in it; `aux`: door tied to it, or 0.
pub const ROW_ZONE: u16 = 4;
/// A part of a body; each user has three rows, head, left, right. `id`: user; `class`: part; `at`: position;
/// `aux`: rotation: a quaternion of four i16 in 1/32767, x lowest, then y, z, w; `flags`: tracked. Since minor
/// version 1.
pub const ROW_POSE: u16 = 5;

// CommandKind says what a plugin wants done. Kinds are never renumbered.
/// Gives an object to who asked; answers a grab. Refused (a fault) when somebody else holds it. `subject`: user;
/// `object`: object; `value`: hand: 0 left, 1 right.
pub const CMD_GRANT: u16 = 1;
/// Answers any request. `value`: reason; `data`: a sentence, may be empty.
pub const CMD_DENY: u16 = 2;
/// Takes an object out of the hand that holds it. `object`: object.
pub const CMD_RELEASE: u16 = 3;
/// Sets an object's state word. `object`: object; `value`: the state, u32.
pub const CMD_SET_STATE: u16 = 4;
/// Puts an object somewhere, upright; refused while it is held. `object`: object; `at`: position.
pub const CMD_SET_POSE: u16 = 5;
/// Moves a door toward an opening, at its own speed. `object`: door; `value`: permille open: 0 closed, 1000 open.
pub const CMD_DOOR: u16 = 6;
/// Locks or unlocks a door. `object`: door; `value`: 1 locks, 0 unlocks.
pub const CMD_LOCK: u16 = 7;
/// Puts a user's head somewhere. `subject`: user; `at`: position.
pub const CMD_TELEPORT: u16 = 8;
/// Sends an event to clients. `value`: audience; `subject`: the user of audience user, the centre of audience
/// near; `data`: name, a zero byte, payload (JSON text).
pub const CMD_EMIT: u16 = 9;
/// Starts a timer, anew if it runs. `scope`: what it belongs to; `subject`: what it belongs to; `value`: its id;
/// `aux`: microseconds from this tick.
pub const CMD_TIMER_START: u16 = 10;
/// Cancels a timer; unknown ones are ignored. `scope`: what it belongs to; `subject`: what it belongs to;
/// `value`: its id.
pub const CMD_TIMER_CANCEL: u16 = 11;
/// Answers a use (or a release) as granted, without doing anything else.
pub const CMD_ACCEPT: u16 = 12;
/// Adds to a user's score on a board. `subject`: user of this region; `value`: what to add, signed; `data`: the
/// board's name: a to z first, then up to 31 of a to z, 0 to 9 and -. Since minor version 1.
pub const CMD_SCORE: u16 = 13;
/// Sends a message to another rule, which gets it as a signal event. To the rule in this region (scope region or
/// 0, subject 0) it goes with the next tick's batch. Refused (a fault) when too many wait for the target.
/// `scope`: region (or 0), or venue: the rule in the venue's home region; `subject`: 0, or with scope region
/// another region's number + 1; `data`: the target rule's name in the venue, a zero byte, topic, a zero byte,
/// payload. Since minor version 1.
pub const CMD_SIGNAL: u16 = 14;

// Audience says who hears of an emitted event.
/// The subject.
pub const EMIT_USER: i64 = 0;
/// People who can see the subject.
pub const EMIT_NEAR: i64 = 1;
/// Everybody in the region.
pub const EMIT_REGION: i64 = 2;
/// Everybody in the venue, whatever their region. Since minor version 1.
pub const EMIT_VENUE: i64 = 3;

// Reason says why a request is denied; the host's own denials use the same numbers.
/// The rule said no.
pub const DENY_RULE: i64 = 0;
/// Somebody holds it.
pub const DENY_HELD: i64 = 1;
/// Out of reach.
pub const DENY_REACH: i64 = 2;
/// No such object.
pub const DENY_UNKNOWN: i64 = 3;
/// Not grabbable, not usable.
pub const DENY_NOT_ALLOWED: i64 = 4;
/// No rule answered.
pub const DENY_UNANSWERED: i64 = 5;
/// The rule failed on this request.
pub const DENY_FAULT: i64 = 6;
/// The rule is in quarantine.
pub const DENY_QUARANTINE: i64 = 7;
/// A release of what the user does not hold.
pub const DENY_NOT_HELD: i64 = 8;

// Scope is what a key or a timer belongs to and travels with.
/// An object or a door; the subject is its id, which is its own for ever.
pub const SCOPE_OBJECT: u16 = 1;
/// A person; the subject is the user's id, which holds until they leave. Keys follow the person's account, timers
/// end when the user leaves.
pub const SCOPE_USER: u16 = 2;
/// A zone; the subject is its id, which holds until the venue's file changes. Keys follow the zone's name.
pub const SCOPE_ZONE: u16 = 3;
/// The region; the subject is 0.
pub const SCOPE_REGION: u16 = 4;
/// The venue; the subject is 0. Only the home region, the first of the venue's file, has these keys.
pub const SCOPE_VENUE: u16 = 5;

// Part is a part of a body, the class of a pose row.
/// The head. Since minor version 1.
pub const PART_HEAD: u32 = 0;
/// The left hand. Since minor version 1.
pub const PART_LEFT: u32 = 1;
/// The right hand. Since minor version 1.
pub const PART_RIGHT: u32 = 2;

// Flag is a bit of a row's flags; which one depends on the row's kind.
/// Doors: the door is locked.
pub const FLAG_LOCKED: u16 = 1;
/// Poses: where the part is is known. Since minor version 1.
pub const FLAG_TRACKED: u16 = 1;

// Result is a negative result of the calls for state.
/// No such key.
pub const KV_MISSING: i32 = -1;
/// An unknown scope, or a subject that is not in this region; also any call before venued_init returned.
pub const KV_SCOPE: i32 = -2;
/// The key, the value, or the state as a whole would be above its limit.
pub const KV_TOO_LARGE: i32 = -3;
/// A pointer outside the plugin's memory.
pub const KV_MEMORY: i32 = -4;
/// The manifest has a state list, and no such key in this scope. Since minor version 1.
pub const KV_UNDECLARED: i32 = -5;

// SettingType is the type of a setting.
/// A whole number.
pub const SETTING_INT: u32 = 1;
/// A number with a fraction, in 1/1024, rounded to the nearest.
pub const SETTING_FIXED: u32 = 2;
/// A text.
pub const SETTING_TEXT: u32 = 3;
/// True or false: 1 or 0.
pub const SETTING_BOOL: u32 = 4;

#[inline]
fn array<const N: usize>(from: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&from[at..at + N]);
    out
}

/// Starts a batch.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    record: &'a [u8; 64],
}

#[allow(dead_code)] // not every field of every record has a use here
impl<'a> Header<'a> {
    #[inline]
    pub(crate) fn at(batch: &'a [u8], at: usize) -> Self {
        let record = &batch[at..at + 64];
        // The slice has that length: it was checked in the line above, once for all fields.
        Header { record: unsafe { &*(record.as_ptr() as *const [u8; 64]) } }
    }
    /// "VNB1", or "VNI1" for an init batch.
    #[inline]
    pub(crate) fn magic(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 0))
    }
    /// Minor version of the host.
    #[inline]
    pub fn minor(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 4))
    }
    /// Where the events begin.
    #[inline]
    pub(crate) fn header_size(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 6))
    }
    /// The number of events; in an init batch, of settings.
    #[inline]
    pub fn events(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 8))
    }
    /// Bytes from one event (or setting) to the next.
    #[inline]
    pub(crate) fn event_size(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 12))
    }
    /// Bytes from one row to the next.
    #[inline]
    pub(crate) fn row_size(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 14))
    }
    /// The number of rows, which follow the events.
    #[inline]
    pub fn rows(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 16))
    }
    /// The region's number in the venue.
    #[inline]
    pub fn region(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 20))
    }
    /// The tick's number; numbers may be skipped.
    #[inline]
    pub fn tick(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 24))
    }
    /// Server time of the tick, microseconds.
    #[inline]
    pub fn time_us(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 32))
    }
    /// The same number for a batch on every machine: the only source of chance.
    #[inline]
    pub fn seed(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 40))
    }
    /// Length of the whole batch.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 48))
    }
}

/// One thing that happened; what the fields hold depends on the kind, and fields it does not name are zero.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    record: &'a [u8; 88],
    batch: &'a [u8],
    number: u32,
}

#[allow(dead_code)] // not every field of every record has a use here
impl<'a> Event<'a> {
    #[inline]
    pub(crate) fn at(batch: &'a [u8], at: usize, number: u32) -> Self {
        let record = &batch[at..at + 88];
        // The slice has that length: it was checked in the line above, once for all fields.
        Event { batch, number, record: unsafe { &*(record.as_ptr() as *const [u8; 88]) } }
    }
    /// As `at`, of records that lie in the batch: the caller has checked that, once for all of them.
    #[inline]
    pub(crate) unsafe fn at_unchecked(batch: &'a [u8], at: usize, number: u32) -> Self {
        Event { batch, number, record: &*(batch.as_ptr().add(at) as *const [u8; 88]) }
    }
    /// Its number in the batch, from 1: commands answer it by this.
    #[inline]
    pub fn number(&self) -> u32 {
        self.number
    }
    /// What happened; skip kinds that you do not know.
    #[inline]
    pub fn kind(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 0))
    }
    /// 0 left, 1 right.
    #[inline]
    pub fn hand(&self) -> u8 {
        self.record[2]
    }
    /// Of a timer.
    #[inline]
    pub fn scope(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 4))
    }
    /// The object's kind, its index in the venue's list of kinds.
    #[inline]
    pub fn class(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 8))
    }
    /// People in a timer's zone.
    #[inline]
    pub fn count(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 12))
    }
    /// The user, or what a timer belongs to.
    #[inline]
    pub fn subject(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 16))
    }
    /// The object or zone.
    #[inline]
    pub fn object(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 24))
    }
    /// Who held the object when the batch was made, 0 for nobody.
    #[inline]
    pub fn holder(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 32))
    }
    /// When it happened at the user's, microseconds of server time.
    #[inline]
    pub fn stamp(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 40))
    }
    /// Where, in lattice steps of 1/1024 m.
    #[inline]
    pub fn x(&self) -> i32 {
        i32::from_le_bytes(array(self.record, 48))
    }
    /// Up.
    #[inline]
    pub fn y(&self) -> i32 {
        i32::from_le_bytes(array(self.record, 52))
    }
    /// Over the floor, at right angles to x.
    #[inline]
    pub fn z(&self) -> i32 {
        i32::from_le_bytes(array(self.record, 56))
    }
    /// From hand to object, lattice steps.
    #[inline]
    pub fn dist(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 60))
    }
    /// People in the zone, the object's state, the timer's id.
    #[inline]
    pub fn value(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 64))
    }
    /// The zone's door, the timer's due time.
    #[inline]
    pub fn aux(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 72))
    }
    /// A name, or a topic, a zero byte and a payload; offset from the start of the batch.
    #[inline]
    pub fn data(&self) -> &'a [u8] {
        let (at, len) = (u32::from_le_bytes(array(self.record, 80)) as usize, u32::from_le_bytes(array(self.record, 84)) as usize);
        &self.batch[at..at + len]
    }
}

/// One line of a view.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    record: &'a [u8; 56],
}

#[allow(dead_code)] // not every field of every record has a use here
impl<'a> Row<'a> {
    #[inline]
    pub(crate) fn at(batch: &'a [u8], at: usize) -> Self {
        let record = &batch[at..at + 56];
        // The slice has that length: it was checked in the line above, once for all fields.
        Row { record: unsafe { &*(record.as_ptr() as *const [u8; 56]) } }
    }
    /// As `at`, of records that lie in the batch: the caller has checked that, once for all of them.
    #[inline]
    pub(crate) unsafe fn at_unchecked(batch: &'a [u8], at: usize) -> Self {
        Row { record: &*(batch.as_ptr().add(at) as *const [u8; 56]) }
    }
    /// What it shows.
    #[inline]
    pub fn kind(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 0))
    }
    /// A locked door, a tracked part.
    #[inline]
    pub fn flags(&self) -> u16 {
        u16::from_le_bytes(array(self.record, 2))
    }
    /// The object's kind, the body's part.
    #[inline]
    pub fn class(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 4))
    }
    /// Of the object, user, door or zone.
    #[inline]
    pub fn id(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 8))
    }
    /// Who holds the object, 0 for nobody.
    #[inline]
    pub fn holder(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 16))
    }
    /// Where, in lattice steps of 1/1024 m.
    #[inline]
    pub fn x(&self) -> i32 {
        i32::from_le_bytes(array(self.record, 24))
    }
    /// Up.
    #[inline]
    pub fn y(&self) -> i32 {
        i32::from_le_bytes(array(self.record, 28))
    }
    /// Over the floor, at right angles to x.
    #[inline]
    pub fn z(&self) -> i32 {
        i32::from_le_bytes(array(self.record, 32))
    }
    /// The object's state, permille that a door is open, people in a zone.
    #[inline]
    pub fn state(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 36))
    }
    /// A zone's door (0 for none), a pose's rotation.
    #[inline]
    pub fn aux(&self) -> u64 {
        u64::from_le_bytes(array(self.record, 40))
    }
}

/// One thing that a plugin wants done; what the fields hold depends on the kind.
#[derive(Clone, Copy, Default)]
pub struct Command {
    /// What to do.
    pub kind: u16,
    /// Of a timer, of a signal's target.
    pub scope: u16,
    /// The number of the event that it answers, from 1; 0 for none.
    pub event: u32,
    /// The user, or what a timer belongs to.
    pub subject: u64,
    /// The object or door.
    pub object: u64,
    /// A number that depends on the kind.
    pub value: i64,
    /// Where, in lattice steps of 1/1024 m.
    pub x: i32,
    /// Up.
    pub y: i32,
    /// Over the floor, at right angles to x.
    pub z: i32,
    /// Texts and payloads; offset from the start of the list.
    pub data_offset: u32,
    /// Their length, bytes.
    pub data_len: u32,
    /// A timer's delay, microseconds.
    pub aux: u64,
}

impl Command {
    /// Writes the record, what is reserved as zeros.
    #[inline]
    pub fn put(&self, to: &mut [u8; 64]) {
        *to = [0; 64];
        to[0..2].copy_from_slice(&self.kind.to_le_bytes());
        to[2..4].copy_from_slice(&self.scope.to_le_bytes());
        to[4..8].copy_from_slice(&self.event.to_le_bytes());
        to[8..16].copy_from_slice(&self.subject.to_le_bytes());
        to[16..24].copy_from_slice(&self.object.to_le_bytes());
        to[24..32].copy_from_slice(&self.value.to_le_bytes());
        to[32..36].copy_from_slice(&self.x.to_le_bytes());
        to[36..40].copy_from_slice(&self.y.to_le_bytes());
        to[40..44].copy_from_slice(&self.z.to_le_bytes());
        to[44..48].copy_from_slice(&self.data_offset.to_le_bytes());
        to[48..52].copy_from_slice(&self.data_len.to_le_bytes());
        to[56..64].copy_from_slice(&self.aux.to_le_bytes());
    }
}

/// Where a command's data offset stands in its record, bytes; its length follows.
pub const COMMAND_DATA_AT: usize = 44;

/// One line of a rule's settings in the venue's file; settings take the place of events in an init batch, sorted
/// by name.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    record: &'a [u8; 32],
    batch: &'a [u8],
}

#[allow(dead_code)] // not every field of every record has a use here
impl<'a> Setting<'a> {
    #[inline]
    pub(crate) fn at(batch: &'a [u8], at: usize) -> Self {
        let record = &batch[at..at + 32];
        // The slice has that length: it was checked in the line above, once for all fields.
        Setting { batch, record: unsafe { &*(record.as_ptr() as *const [u8; 32]) } }
    }
    /// As in the venue's file; offset from the start of the batch.
    #[inline]
    pub fn name(&self) -> &'a [u8] {
        let (at, len) = (u32::from_le_bytes(array(self.record, 0)) as usize, u32::from_le_bytes(array(self.record, 4)) as usize);
        &self.batch[at..at + len]
    }
    /// A setting type.
    #[inline]
    pub fn kind(&self) -> u32 {
        u32::from_le_bytes(array(self.record, 8))
    }
    /// The whole number, the number in 1/1024, 0 or 1 for true and false.
    #[inline]
    pub fn value(&self) -> i64 {
        i64::from_le_bytes(array(self.record, 16))
    }
    /// The text; offset from the start of the batch.
    #[inline]
    pub fn text(&self) -> &'a [u8] {
        let (at, len) = (u32::from_le_bytes(array(self.record, 24)) as usize, u32::from_le_bytes(array(self.record, 28)) as usize);
        &self.batch[at..at + len]
    }
}
