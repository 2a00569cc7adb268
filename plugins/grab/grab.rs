//! Who gets an object: the first request in the order that the host gives them, if it is
//! within reach and nobody else holds the object.
//!
//! Setting: `reach_m`, metres from hand to object, default 0.6.
#![no_std]

use venued_rules::*;

struct Grab {
    reach: u32, // lattice steps
    held: Held,
}

impl Rule for Grab {
    fn new(settings: &Init) -> Result<Self, i32> {
        let reach = settings.fixed("reach_m", 614); // 0.6 m
        if reach < 0 || reach > u32::MAX as i64 {
            log("reach_m must be 0 or more");
            return Err(1);
        }
        Ok(Grab { reach: reach as u32, held: Held::new() })
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        self.held.clear();
        for event in batch.events() {
            match event.kind() {
                EVENT_GRAB => self.grab(&event, out),
                EVENT_RELEASE => self.release(&event, out),
                // The host took it out of the hand already: it is free for the requests after this.
                EVENT_DROPPED => self.held.set(event.object(), 0),
                _ => {}
            }
        }
    }
}

impl Grab {
    fn grab(&mut self, event: &Event, out: &mut Commands) {
        if event.dist() > self.reach {
            return out.deny(event, DENY_REACH, "");
        }
        let holder = self.held.get(event.object()).unwrap_or_else(|| event.holder());
        // Who holds it may take it into the other hand.
        if holder != 0 && holder != event.subject() {
            return out.deny(event, DENY_HELD, "");
        }
        self.held.set(event.object(), event.subject());
        out.grant(event);
    }

    fn release(&mut self, event: &Event, out: &mut Commands) {
        // The host lets only the holder ask, but an earlier event of this batch may have changed that.
        if matches!(self.held.get(event.object()), Some(holder) if holder != event.subject()) {
            return out.deny(event, DENY_NOT_HELD, "");
        }
        self.held.set(event.object(), 0);
        out.release(event);
    }
}

const SLOTS: usize = 4096; // a power of two, above the number of events of a batch
const _: () = assert!(SLOTS > MAX_EVENTS);

/// Who holds what after the events so far: a hash table with linear probing that is emptied
/// by counting up its generation.
struct Held {
    slots: [Slot; SLOTS],
    generation: u32,
}

#[derive(Clone, Copy)]
struct Slot {
    object: u64,
    holder: u64,
    generation: u32,
}

impl Held {
    fn new() -> Self {
        Held { slots: [Slot { object: 0, holder: 0, generation: 0 }; SLOTS], generation: 0 }
    }

    fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            for slot in self.slots.iter_mut() {
                slot.generation = 0;
            }
            self.generation = 1;
        }
    }

    /// The slot that holds the object, or would.
    fn slot(&mut self, object: u64) -> &mut Slot {
        let mut i = (object.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize;
        while self.slots[i].generation == self.generation && self.slots[i].object != object {
            i = (i + 1) % SLOTS;
        }
        &mut self.slots[i]
    }

    fn get(&mut self, object: u64) -> Option<u64> {
        let generation = self.generation;
        let slot = self.slot(object);
        if slot.generation == generation {
            Some(slot.holder)
        } else {
            None
        }
    }

    fn set(&mut self, object: u64, holder: u64) {
        let generation = self.generation;
        *self.slot(object) = Slot { object, holder, generation };
    }
}

venued_rules::export!(Grab);
