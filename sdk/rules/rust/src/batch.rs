//! What the host gives to a call. Records may be longer than this version knows; the
//! sizes in the header lead from one to the next.

use crate::abort;
use crate::schema::*;

/// A tick's events and view rows.
pub struct Batch<'a> {
    raw: &'a [u8],
    header: Header<'a>,
}

impl<'a> Batch<'a> {
    #[doc(hidden)]
    pub fn new(raw: &'a [u8]) -> Self {
        Batch { raw, header: Header::at(raw, 0) }
    }
    /// The tick's number; numbers may be skipped.
    pub fn tick(&self) -> u64 {
        self.header.tick()
    }
    /// Server time of the tick, microseconds.
    pub fn time_us(&self) -> u64 {
        self.header.time_us()
    }
    /// The same number for this batch on every machine: the only source of chance.
    pub fn seed(&self) -> u64 {
        self.header.seed()
    }
    /// The region's index in the venue.
    pub fn region(&self) -> u32 {
        self.header.region()
    }
    /// The events in their order.
    pub fn events(&self) -> impl Iterator<Item = Event<'a>> {
        let (raw, head, size) = (self.raw, self.header.header_size() as usize, self.header.event_size() as usize);
        let count = contained(raw, head, self.header.events(), size, EVENT_SIZE);
        // They lie in the batch: that was checked in the line above.
        (0..count).map(move |i| unsafe { Event::at_unchecked(raw, head + i as usize * size, i + 1) })
    }
    /// The rows of the views that the manifest names.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        rows(self.raw, self.header)
    }
    /// The first row of a kind with that id.
    pub fn find(&self, kind: u16, id: u64) -> Option<Row<'a>> {
        self.rows().find(|r| r.id() == id && r.kind() == kind)
    }
}

fn rows<'a>(raw: &'a [u8], h: Header<'a>) -> impl Iterator<Item = Row<'a>> {
    let start = h.header_size() as usize + h.events() as usize * h.event_size() as usize;
    let size = h.row_size() as usize;
    let count = contained(raw, start, h.rows(), size, ROW_SIZE);
    // They lie in the batch: that was checked in the line above.
    (0..count).map(move |i| unsafe { Row::at_unchecked(raw, start + i as usize * size) })
}

/// The number of records of that size from `start`, all of which lie in `raw` and have at least the bytes that this version knows.
fn contained(raw: &[u8], start: usize, count: u32, size: usize, known: usize) -> u32 {
    if count > 0 && (size < known || start as u64 + count as u64 * size as u64 > raw.len() as u64) {
        abort("the batch is shorter than its header says");
    }
    count
}

/// Splits at the first zero byte; without one everything is head.
fn cut(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|&c| c == 0) {
        Some(i) => (&data[..i], &data[i + 1..]),
        None => (data, &[]),
    }
}

impl<'a> Event<'a> {
    /// Topic and payload of a message.
    pub fn message(&self) -> (&'a [u8], &'a [u8]) {
        cut(self.data())
    }
    /// The name of the rule that sent a signal, topic and payload. The region it came from is `object() - 1`.
    pub fn signal(&self) -> (&'a [u8], &'a [u8], &'a [u8]) {
        let (from, rest) = cut(self.data());
        let (topic, payload) = cut(rest);
        (from, topic, payload)
    }
    /// Where, in steps of 1/1024 m.
    pub fn position(&self) -> [i32; 3] {
        [self.x(), self.y(), self.z()]
    }
}

impl<'a> Row<'a> {
    /// Is the door locked?
    pub fn locked(&self) -> bool {
        self.flags() & FLAG_LOCKED != 0
    }
    /// Is it known where the part of a pose is?
    pub fn tracked(&self) -> bool {
        self.flags() & FLAG_TRACKED != 0
    }
    /// The unit quaternion of a pose, x, y, z, w, in 1/[`ROTATION_ONE`].
    pub fn rotation(&self) -> [i16; 4] {
        [0, 16, 32, 48].map(|shift| (self.aux() >> shift) as i16)
    }
    /// Where, in steps of 1/1024 m.
    pub fn position(&self) -> [i32; 3] {
        [self.x(), self.y(), self.z()]
    }
}

/// The settings of the rule and what is there at its start.
pub struct Init<'a> {
    raw: &'a [u8],
    header: Header<'a>,
}

impl<'a> Init<'a> {
    #[doc(hidden)]
    pub fn new(raw: &'a [u8]) -> Self {
        Init { raw, header: Header::at(raw, 0) }
    }
    /// Doors, zones and objects at the start.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        rows(self.raw, self.header)
    }
    /// A whole number; `default` when it is not set or something else.
    pub fn int(&self, name: &str, default: i64) -> i64 {
        match self.find(name) {
            Some((SETTING_INT, value, _)) => value,
            _ => default,
        }
    }
    /// A number in units of 1/1024, rounded to the nearest; whole numbers count too. A length in metres is
    /// lattice steps at once.
    pub fn fixed(&self, name: &str, default: i64) -> i64 {
        match self.find(name) {
            Some((SETTING_FIXED, value, _)) => value,
            Some((SETTING_INT, value, _)) => value.saturating_mul(1024),
            _ => default,
        }
    }
    /// A text; `default` when it is not set or something else.
    pub fn text(&self, name: &str, default: &'a str) -> &'a str {
        match self.find(name) {
            Some((SETTING_TEXT, _, text)) => core::str::from_utf8(text).unwrap_or(default),
            _ => default,
        }
    }
    /// True or false; `default` when it is not set or something else.
    pub fn flag(&self, name: &str, default: bool) -> bool {
        match self.find(name) {
            Some((SETTING_BOOL, value, _)) => value != 0,
            _ => default,
        }
    }

    fn find(&self, name: &str) -> Option<(u32, i64, &'a [u8])> {
        let (head, size) = (self.header.header_size() as usize, self.header.event_size() as usize);
        (0..self.header.events())
            .map(|i| Setting::at(self.raw, head + i as usize * size))
            .find(|s| s.name() == name.as_bytes())
            .map(|s| (s.kind(), s.value(), s.text()))
    }
}
