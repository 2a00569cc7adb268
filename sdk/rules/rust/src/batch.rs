//! What the host gives to a call. Records may be longer than this version knows; the
//! sizes in the header lead from one to the next.

fn u16_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

fn u32_at(b: &[u8], at: usize) -> u32 {
    let mut raw = [0; 4];
    raw.copy_from_slice(&b[at..at + 4]);
    u32::from_le_bytes(raw)
}

fn u64_at(b: &[u8], at: usize) -> u64 {
    let mut raw = [0; 8];
    raw.copy_from_slice(&b[at..at + 8]);
    u64::from_le_bytes(raw)
}

fn slice_at(b: &[u8], at: usize) -> &[u8] {
    let (offset, len) = (u32_at(b, at) as usize, u32_at(b, at + 4) as usize);
    &b[offset..offset + len]
}

/// A tick's events and view rows.
pub struct Batch<'a> {
    raw: &'a [u8],
}

impl<'a> Batch<'a> {
    #[doc(hidden)]
    pub fn new(raw: &'a [u8]) -> Self {
        Batch { raw }
    }
    /// The tick's number; numbers may be skipped.
    pub fn tick(&self) -> u64 {
        u64_at(self.raw, 24)
    }
    /// Server time of the tick, microseconds.
    pub fn time_us(&self) -> u64 {
        u64_at(self.raw, 32)
    }
    /// The same number for this batch on every machine: the only source of chance.
    pub fn seed(&self) -> u64 {
        u64_at(self.raw, 40)
    }
    /// The region's index in the venue.
    pub fn region(&self) -> u32 {
        u32_at(self.raw, 20)
    }
    /// The events in their order.
    pub fn events(&self) -> impl Iterator<Item = Event<'a>> {
        let (raw, head, size) = (self.raw, u16_at(self.raw, 6) as usize, u16_at(self.raw, 12) as usize);
        (0..u32_at(raw, 8)).map(move |i| Event { batch: raw, at: head + i as usize * size, number: i + 1 })
    }
    /// The rows of the views that the manifest names.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        rows(self.raw)
    }
}

fn rows<'a>(raw: &'a [u8]) -> impl Iterator<Item = Row<'a>> {
    let start = u16_at(raw, 6) as usize + u32_at(raw, 8) as usize * u16_at(raw, 12) as usize;
    let size = u16_at(raw, 14) as usize;
    (0..u32_at(raw, 16) as usize).map(move |i| Row { raw: &raw[start + i * size..start + (i + 1) * size] })
}

/// One thing that happened; what the fields hold depends on the kind.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    batch: &'a [u8],
    at: usize,
    number: u32,
}

impl<'a> Event<'a> {
    /// Its 1-based number in the batch, by which commands answer it.
    pub fn number(&self) -> u32 {
        self.number
    }
    /// One of `EVENT_...`; skip those you do not know.
    pub fn kind(&self) -> u16 {
        u16_at(self.batch, self.at)
    }
    /// 0 left, 1 right.
    pub fn hand(&self) -> u8 {
        self.batch[self.at + 2]
    }
    /// The scope of a timer.
    pub fn scope(&self) -> u16 {
        u16_at(self.batch, self.at + 4)
    }
    /// The object's kind, its index in the venue's list.
    pub fn class(&self) -> u32 {
        u32_at(self.batch, self.at + 8)
    }
    /// People in a timer's zone.
    pub fn count(&self) -> u32 {
        u32_at(self.batch, self.at + 12)
    }
    /// The user, or what a timer belongs to.
    pub fn subject(&self) -> u64 {
        u64_at(self.batch, self.at + 16)
    }
    /// The object or zone.
    pub fn object(&self) -> u64 {
        u64_at(self.batch, self.at + 24)
    }
    /// Who held the object when the batch was made, 0 for nobody.
    pub fn holder(&self) -> u64 {
        u64_at(self.batch, self.at + 32)
    }
    /// When it happened at the user's, microseconds of server time.
    pub fn stamp(&self) -> u64 {
        u64_at(self.batch, self.at + 40)
    }
    /// Where, in steps of 1/1024 m.
    pub fn position(&self) -> [i32; 3] {
        [48, 52, 56].map(|o| u32_at(self.batch, self.at + o) as i32)
    }
    /// From hand to object, in steps of 1/1024 m.
    pub fn dist(&self) -> u32 {
        u32_at(self.batch, self.at + 60)
    }
    /// A number that depends on the kind: people in the zone, the object's state, the timer's id.
    pub fn value(&self) -> u64 {
        u64_at(self.batch, self.at + 64)
    }
    /// Another one: the zone's door, the timer's due time.
    pub fn aux(&self) -> u64 {
        u64_at(self.batch, self.at + 72)
    }
    /// A name, or a topic, a zero byte and a payload.
    pub fn data(&self) -> &'a [u8] {
        slice_at(self.batch, self.at + 80)
    }
}

/// One line of a view.
pub struct Row<'a> {
    raw: &'a [u8],
}

impl<'a> Row<'a> {
    /// One of `ROW_...`.
    pub fn kind(&self) -> u16 {
        u16_at(self.raw, 0)
    }
    /// [`crate::DOOR_LOCKED`] for a locked door.
    pub fn flags(&self) -> u16 {
        u16_at(self.raw, 2)
    }
    /// The object's kind.
    pub fn class(&self) -> u32 {
        u32_at(self.raw, 4)
    }
    /// Of the object, user, door or zone.
    pub fn id(&self) -> u64 {
        u64_at(self.raw, 8)
    }
    /// Who holds the object, 0 for nobody.
    pub fn holder(&self) -> u64 {
        u64_at(self.raw, 16)
    }
    /// Where, in steps of 1/1024 m.
    pub fn position(&self) -> [i32; 3] {
        [24, 28, 32].map(|o| u32_at(self.raw, o) as i32)
    }
    /// The object's state, a door's permille open, people in a zone.
    pub fn state(&self) -> u32 {
        u32_at(self.raw, 36)
    }
    /// A zone's door, 0 for none.
    pub fn aux(&self) -> u64 {
        u64_at(self.raw, 40)
    }
}

/// The settings of the rule and what is there at its start.
pub struct Init<'a> {
    raw: &'a [u8],
}

const INT: u32 = 1;
const FIXED: u32 = 2;
const TEXT: u32 = 3;
const BOOL: u32 = 4;

impl<'a> Init<'a> {
    #[doc(hidden)]
    pub fn new(raw: &'a [u8]) -> Self {
        Init { raw }
    }
    /// Doors, zones and objects at the start.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        rows(self.raw)
    }
    /// A whole number; `default` when it is not set or something else.
    pub fn int(&self, name: &str, default: i64) -> i64 {
        match self.find(name) {
            Some((INT, value, _)) => value,
            _ => default,
        }
    }
    /// A number in units of 1/1024, rounded to the nearest; whole numbers count too. A length in metres is
    /// lattice steps at once.
    pub fn fixed(&self, name: &str, default: i64) -> i64 {
        match self.find(name) {
            Some((FIXED, value, _)) => value,
            Some((INT, value, _)) => value.saturating_mul(1024),
            _ => default,
        }
    }
    /// A text; `default` when it is not set or something else.
    pub fn text(&self, name: &str, default: &'a str) -> &'a str {
        match self.find(name) {
            Some((TEXT, _, text)) => core::str::from_utf8(text).unwrap_or(default),
            _ => default,
        }
    }
    /// True or false; `default` when it is not set or something else.
    pub fn flag(&self, name: &str, default: bool) -> bool {
        match self.find(name) {
            Some((BOOL, value, _)) => value != 0,
            _ => default,
        }
    }

    fn find(&self, name: &str) -> Option<(u32, i64, &'a [u8])> {
        let (head, size) = (u16_at(self.raw, 6) as usize, u16_at(self.raw, 12) as usize);
        (0..u32_at(self.raw, 8) as usize).map(|i| head + i * size).find(|&at| slice_at(self.raw, at) == name.as_bytes()).map(
            |at| (u32_at(self.raw, at + 8), u64_at(self.raw, at + 16) as i64, slice_at(self.raw, at + 24)),
        )
    }
}
