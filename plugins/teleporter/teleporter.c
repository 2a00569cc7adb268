/* Takes people somewhere else: who steps into one of its zones, and who uses one of its objects, but not again before they had a
 * rest.
 *
 * Settings: x_m, y_m, z_m, where the head goes, metres, default 0, 1.6, 0; rest_s, seconds, default 3.
 */
#define VENUED_PLUGIN
#include "venued.h"

static int32_t x, y, z; /* lattice steps */
static int64_t rest_us;

/* Reads a coordinate; 0 when it is too far away. */
static int coordinate(const venued_batch *settings, const char *name, size_t len, int64_t otherwise, int32_t *to) {
  const int64_t far = 2000000LL * 1024;
  int64_t v = venued_setting_fixed(settings, name, len, otherwise);
  if (v < -far || v > far) {
    char room[40];
    venued_writer w = {room, sizeof room, 0};
    venued_write(&w, name, len);
    venued_write(&w, VENUED_TEXT(" must lie within 2000000 m"));
    venued_log(w.at, w.len);
    return 0;
  }
  *to = (int32_t)v;
  return 1;
}

int32_t rule_init(const venued_batch *settings) {
  if (!coordinate(settings, VENUED_TEXT("x_m"), 0, &x) || !coordinate(settings, VENUED_TEXT("y_m"), 1638, &y) ||
      !coordinate(settings, VENUED_TEXT("z_m"), 0, &z))
    return 1;
  int64_t rest = venued_setting_fixed(settings, VENUED_TEXT("rest_s"), 3 * 1024);
  if (rest < 0 || rest > 86400 * 1024) {
    venued_log(VENUED_TEXT("rest_s must be between 0 and 86400"));
    return 1;
  }
  rest_us = rest * 1000000 / 1024;
  return 0;
}

/* Remembers the journey; 0 when it is too early for another, or when the person is not in this region any more. */
static int may_go(uint64_t user, int64_t now) {
  int64_t last = venued_kv_int(VENUED_USER, user, VENUED_TEXT("last_us"), -1);
  if (last >= 0 && now >= last && now < last + rest_us) return 0;
  return venued_kv_put_int(VENUED_USER, user, VENUED_TEXT("last_us"), now) == 0;
}

static void go(uint32_t n, uint64_t user) {
  static const char json[] = "{}";
  venued_teleport(n, user, x, y, z);
  venued_emit(n, VENUED_TO_USER, user, VENUED_TEXT("teleporter.used"), json, sizeof json - 1);
}

void rule_tick(const venued_batch *batch) {
  int64_t now = (int64_t)batch->time_us;
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    if (e->kind == VENUED_ENTER && may_go(e->subject, now)) go(i + 1, e->subject);
    if (e->kind != VENUED_USE) continue;
    if (!may_go(e->subject, now)) {
      venued_deny(i + 1, e, VENUED_DENY_RULE, VENUED_TEXT("wait a moment"));
      continue;
    }
    venued_accept(i + 1);
    go(i + 1, e->subject);
  }
}
