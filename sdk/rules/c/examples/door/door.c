/* Doors that open for whoever steps into their zone, and close some time after the last one left it. Locked doors stay as
 * they are.
 *
 * Setting: close_after_s, seconds, default 2.
 */
#define VENUED_PLUGIN
#include "venued.h"

enum { OPEN = 1000, CLOSED = 0 };

/* Zones that a batch may touch: two commands each stay within the limit of a call. */
enum { MAX_ZONES = VENUED_MAX_COMMANDS / 2 };

/* What a batch means for a zone and the door tied to it. */
typedef struct {
  uint64_t zone, door;
  int entered, emptied, due; /* emptied: somebody left and nobody is in it now; due: its closing time came and nobody is in it */
} change;

static uint64_t close_after_us;
static change changes[MAX_ZONES]; /* in the order of their first events */
static uint32_t count;

int32_t rule_init(const venued_batch *settings) {
  int64_t seconds = venued_setting_fixed(settings, VENUED_TEXT("close_after_s"), 2 * 1024);
  if (seconds < 0 || seconds > 86400 * 1024) {
    venued_log(VENUED_TEXT("close_after_s must be between 0 and 86400"));
    return 1;
  }
  close_after_us = (uint64_t)seconds * 1000000 / 1024;
  return 0;
}

static change *at(uint64_t zone, uint64_t door) {
  for (uint32_t i = 0; i < count; i++)
    if (changes[i].zone == zone && changes[i].door == door) return &changes[i];
  VENUED_ASSERT(count < MAX_ZONES); /* no more zones than a call may answer */
  changes[count] = (change){.zone = zone, .door = door};
  return &changes[count++];
}

void rule_tick(const venued_batch *batch) {
  count = 0;
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    if (e->kind == VENUED_ENTER && e->aux != 0) at(e->object, e->aux)->entered = 1;
    if (e->kind == VENUED_EXIT && e->aux != 0 && e->value == 0) at(e->object, e->aux)->emptied = 1;
    /* The timer's id is the door, so that it is known without another look. */
    if (e->kind == VENUED_TIMER && e->scope == VENUED_ZONE && e->count == 0) at(e->subject, e->value)->due = 1;
  }
  for (uint32_t i = 0; i < count; i++) {
    const change *c = &changes[i];
    const venued_row *door = venued_find_row(batch, VENUED_ROW_DOOR, c->door);
    if (door && venued_locked(door)) continue;
    if (c->entered)
      venued_door(0, c->door, OPEN);
    else if (c->due && !c->emptied)
      venued_door(0, c->door, CLOSED);
    if (c->emptied)
      venued_timer_start(0, VENUED_ZONE, c->zone, c->door, close_after_us);
    else if (c->entered)
      venued_timer_cancel(VENUED_ZONE, c->zone, c->door);
  }
}
