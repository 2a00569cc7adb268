//! Doors that open for whoever steps into their zone, and close some time after the last one
//! left it. Locked doors stay as they are.
//!
//! Setting: `close_after_s`, seconds, default 2.
#![no_std]

use venued_rules::*;

const OPEN: u32 = 1000;
const CLOSED: u32 = 0;

/// Zones that a batch may touch: two commands each stay within the limit of a call.
const MAX_ZONES: usize = MAX_COMMANDS / 2;

struct Door {
    close_after_us: u64,
    zones: [Zone; MAX_ZONES],
    len: usize,
}

/// What this batch means for a zone.
#[derive(Clone, Copy)]
struct Zone {
    id: u64,
    door: u64,
    entered: bool,
    emptied: bool, // somebody left and nobody is in it now
    due: bool,     // its closing time came and nobody is in it
}

impl Rule for Door {
    fn new(settings: &Init) -> Result<Self, i32> {
        let seconds = settings.fixed("close_after_s", 2 * 1024);
        if seconds < 0 || seconds > 86_400 * 1024 {
            log("close_after_s must be between 0 and 86400");
            return Err(1);
        }
        let none = Zone { id: 0, door: 0, entered: false, emptied: false, due: false };
        Ok(Door { close_after_us: seconds as u64 * 1_000_000 / 1024, zones: [none; MAX_ZONES], len: 0 })
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        self.len = 0;
        for event in batch.events() {
            match event.kind() {
                EVENT_ENTER if event.aux() != 0 => self.zone(event.object(), event.aux()).entered = true,
                EVENT_EXIT if event.aux() != 0 && event.value() == 0 => {
                    self.zone(event.object(), event.aux()).emptied = true
                }
                // The timer's id is the door, so that it is known without another look.
                EVENT_TIMER if event.scope() == SCOPE_ZONE && event.count() == 0 => {
                    self.zone(event.subject(), event.value()).due = true
                }
                _ => {}
            }
        }
        for zone in &self.zones[..self.len] {
            if locked(batch, zone.door) {
                continue;
            }
            if zone.entered {
                out.door(0, zone.door, OPEN);
            } else if zone.due && !zone.emptied {
                out.door(0, zone.door, CLOSED);
            }
            if zone.emptied {
                out.timer_start(0, SCOPE_ZONE, zone.id, zone.door, self.close_after_us);
            } else if zone.entered {
                out.timer_cancel(SCOPE_ZONE, zone.id, zone.door);
            }
        }
    }
}

impl Door {
    /// The entry of a zone in this batch, in the order of their first events.
    fn zone(&mut self, id: u64, door: u64) -> &mut Zone {
        let i = match self.zones[..self.len].iter().position(|z| z.id == id && z.door == door) {
            Some(i) => i,
            None => {
                if self.len == MAX_ZONES {
                    abort("events of more zones than a call may answer");
                }
                self.zones[self.len] = Zone { id, door, entered: false, emptied: false, due: false };
                self.len += 1;
                self.len - 1
            }
        };
        &mut self.zones[i]
    }
}

fn locked(batch: &Batch, door: u64) -> bool {
    batch.find(ROW_DOOR, door).map_or(false, |r| r.locked())
}

venued_rules::export!(Door);
