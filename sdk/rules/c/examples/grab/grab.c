/* Who gets an object: the first request in the order that the host gives them, if it is within reach and nobody else holds
 * the object.
 *
 * Setting: reach_m, metres from hand to object, default 0.6.
 */
#define VENUED_PLUGIN
#include "venued.h"

static uint32_t reach; /* lattice steps */

/* Who holds what after the events so far of a batch: a hash table with linear probing that is emptied by counting up its
 * generation. */
enum { SLOTS = 4096 }; /* a power of two, above the number of events of a batch */
_Static_assert(SLOTS > VENUED_MAX_INPUT / sizeof(venued_event), "room for every event");
typedef struct {
  uint64_t object, holder;
  uint32_t generation;
} slot;
static slot slots[SLOTS];
static uint32_t generation;

/* The slot that holds the object, or would. */
static slot *slot_of(uint64_t object) {
  uint32_t i = (uint32_t)((object * 0x9e3779b97f4a7c15u) >> 52);
  while (slots[i].generation == generation && slots[i].object != object) i = (i + 1) % SLOTS;
  return &slots[i];
}

static void set_holder(uint64_t object, uint64_t holder) { *slot_of(object) = (slot){object, holder, generation}; }

int32_t rule_init(const venued_batch *settings) {
  int64_t r = venued_setting_fixed(settings, VENUED_TEXT("reach_m"), 614); /* 0.6 m */
  if (r < 0 || r > UINT32_MAX) {
    venued_log(VENUED_TEXT("reach_m must be 0 or more"));
    return 1;
  }
  reach = (uint32_t)r;
  return 0;
}

static void grab(uint32_t n, const venued_event *e) {
  if (e->dist > reach) {
    venued_deny(n, e, VENUED_DENY_REACH, "", 0);
    return;
  }
  const slot *s = slot_of(e->object);
  uint64_t holder = s->generation == generation ? s->holder : e->holder;
  /* Who holds it may take it into the other hand. */
  if (holder != 0 && holder != e->subject) {
    venued_deny(n, e, VENUED_DENY_HELD, "", 0);
    return;
  }
  set_holder(e->object, e->subject);
  venued_grant(n, e);
}

static void release(uint32_t n, const venued_event *e) {
  /* The host lets only the holder ask, but an earlier event of this batch may have changed that. */
  const slot *s = slot_of(e->object);
  if (s->generation == generation && s->holder != e->subject) {
    venued_deny(n, e, VENUED_DENY_NOT_HELD, "", 0);
    return;
  }
  set_holder(e->object, 0);
  venued_release(n, e);
}

void rule_tick(const venued_batch *batch) {
  if (++generation == 0) { /* it wrapped: old entries would come back */
    memset(slots, 0, sizeof slots);
    generation = 1;
  }
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    switch (e->kind) {
    case VENUED_GRAB: grab(i + 1, e); break;
    case VENUED_RELEASE: release(i + 1, e); break;
    /* The host took it out of the hand already: it is free for the requests after this. */
    case VENUED_DROPPED: set_holder(e->object, 0); break;
    }
  }
}
