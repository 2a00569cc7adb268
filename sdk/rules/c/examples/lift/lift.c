/* A heavy object: one person's hands are not enough. The first who asks is told so; when a second person asks soon after, they
 * lift it together. It comes down when who holds it lets go, or when the other one leaves.
 *
 * Setting: within_s, seconds between the two, default 2.
 */
#define VENUED_PLUGIN
#include "venued.h"

static uint64_t within_us;

/* What an object keeps: under "asked" who asked first and when, under "pair" who holds it and who helps. */
typedef struct {
  uint64_t a, b;
} two;

/* Zeros where there is none; then *known, if it is not 0, becomes 0. */
static two get_two(uint64_t object, const char *key, size_t len, int *known) {
  two t;
  int ok = venued_kv_get(VENUED_OBJECT, object, key, len, &t, sizeof t) == sizeof t;
  if (known) *known = ok;
  return ok ? t : (two){0, 0};
}

static int32_t put_two(uint64_t object, const char *key, size_t len, uint64_t a, uint64_t b) {
  two t = {a, b};
  return venued_kv_put(VENUED_OBJECT, object, key, len, &t, sizeof t);
}

int32_t rule_init(const venued_batch *settings) {
  int64_t seconds = venued_setting_fixed(settings, VENUED_TEXT("within_s"), 2 * 1024);
  if (seconds < 0 || seconds > 86400 * 1024) {
    venued_log(VENUED_TEXT("within_s must be between 0 and 86400"));
    return 1;
  }
  within_us = (uint64_t)seconds * 1000000 / 1024;
  return 0;
}

static char room[128];

static void write_id(venued_writer *w, const char *before, size_t len, uint64_t id) {
  venued_write(w, before, len);
  venued_write_uint(w, id);
}

/* Remembers who lifts an object together. Returns 0 when the partner lifts something else, has left, or there is no room for the
 * state. */
static int join(uint64_t partner, uint64_t holder, uint64_t object) {
  if (venued_kv_int(VENUED_USER, partner, VENUED_TEXT("lifting"), 0) != 0 ||
      venued_kv_put_int(VENUED_USER, partner, VENUED_TEXT("lifting"), (int64_t)object) != 0)
    return 0;
  if (put_two(object, VENUED_TEXT("pair"), holder, partner) != 0) {
    venued_kv_del(VENUED_USER, partner, VENUED_TEXT("lifting"));
    return 0;
  }
  return 1;
}

/* Ends a lift. The pair stays as two zeros: nobody holds the object, whatever later events of the batch say. */
static void down(uint32_t n, uint64_t object, uint64_t partner) {
  put_two(object, VENUED_TEXT("pair"), 0, 0);
  venued_kv_del(VENUED_USER, partner, VENUED_TEXT("lifting"));
  venued_writer w = {room, sizeof room, 0};
  write_id(&w, VENUED_TEXT("{\"object\":\""), object);
  venued_write(&w, VENUED_TEXT("\"}"));
  venued_emit(n, VENUED_TO_NEAR, object, VENUED_TEXT("lift.down"), w.at, w.len);
}

static void grab(uint32_t n, const venued_event *e, uint64_t now) {
  /* What was decided earlier in this batch is in the state, not yet in the event. */
  int known;
  two pair = get_two(e->object, VENUED_TEXT("pair"), &known);
  uint64_t holder = known ? pair.a : e->holder;
  if (holder != 0 && holder == e->subject) { /* into the other hand */
    venued_grant(n, e);
    return;
  }
  if (holder != 0) {
    venued_deny(n, e, VENUED_DENY_HELD, "", 0);
    return;
  }
  two asked = get_two(e->object, VENUED_TEXT("asked"), 0);
  uint64_t first = asked.a;
  if (first == 0 || first == e->subject || now > asked.b + within_us || !join(first, e->subject, e->object)) {
    put_two(e->object, VENUED_TEXT("asked"), e->subject, now);
    venued_deny(n, e, VENUED_DENY_RULE, VENUED_TEXT("needs two"));
    return;
  }
  venued_kv_del(VENUED_OBJECT, e->object, VENUED_TEXT("asked"));
  venued_grant(n, e);
  venued_writer w = {room, sizeof room, 0};
  write_id(&w, VENUED_TEXT("{\"object\":\""), e->object);
  write_id(&w, VENUED_TEXT("\",\"first\":\""), first);
  write_id(&w, VENUED_TEXT("\",\"second\":\""), e->subject);
  venued_write(&w, VENUED_TEXT("\"}"));
  venued_emit(n, VENUED_TO_NEAR, e->object, VENUED_TEXT("lift.up"), w.at, w.len);
}

static void release(uint32_t n, const venued_event *e) {
  int known;
  two pair = get_two(e->object, VENUED_TEXT("pair"), &known);
  if (known && pair.a != e->subject) {
    venued_deny(n, e, VENUED_DENY_NOT_HELD, "", 0);
    return;
  }
  venued_release(n, e);
  if (known) down(n, e->object, pair.b);
}

static void leave(uint32_t n, const venued_event *e) {
  uint64_t object = (uint64_t)venued_kv_int(VENUED_USER, e->subject, VENUED_TEXT("lifting"), 0);
  if (object == 0) return;
  two pair = get_two(object, VENUED_TEXT("pair"), 0);
  if (pair.a != 0 && pair.b == e->subject) {
    venued_take(n, object);
    down(n, object, pair.b);
  }
}

void rule_tick(const venued_batch *batch) {
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    switch (e->kind) {
    case VENUED_GRAB: grab(i + 1, e, batch->time_us); break;
    case VENUED_RELEASE: release(i + 1, e); break;
    case VENUED_DROPPED: { /* the host took it already */
      two pair = get_two(e->object, VENUED_TEXT("pair"), 0);
      if (pair.a != 0 && pair.a == e->subject) down(i + 1, e->object, pair.b);
      break;
    }
    case VENUED_LEAVE: leave(i + 1, e); break;
    }
  }
}
