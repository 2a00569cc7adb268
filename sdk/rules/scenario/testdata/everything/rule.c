/* Does whatever it is told to, so that scenarios can show each kind of command and of event. */
#define VENUED_PLUGIN
#include "venued.h"

int32_t rule_init(const venued_batch *settings) {
  (void)settings;
  return 0;
}

static int is(const char *s, size_t n, const char *want) {
  size_t i = 0;
  while (i < n && want[i] && s[i] == want[i]) i++;
  return i == n && !want[i];
}

static uint64_t first(const venued_batch *b, uint16_t kind) {
  for (uint32_t i = 0; i < b->rows; i++)
    if (venued_row_at(b, i)->kind == kind) return venued_row_at(b, i)->id;
  return 0;
}

static void obey(const venued_batch *b, uint32_t n, const venued_event *e) {
  const char *d = venued_data(b, e);
  size_t len = e->data_len, topic = 0;
  while (topic < len && d[topic]) topic++;
  const char *what = d + topic + 1;
  size_t size = len - topic - 1;
  uint64_t object = first(b, VENUED_ROW_OBJECT), door = first(b, VENUED_ROW_DOOR);
  if (is(what, size, "score")) venued_score(n, e->subject, -3, VENUED_TEXT("quiz"));
  if (is(what, size, "signal")) venued_signal(n, VENUED_TEXT("bell"), VENUED_TEXT("ring"), VENUED_TEXT("now"));
  if (is(what, size, "elsewhere")) venued_signal_venue(n, VENUED_TEXT("everything"), VENUED_TEXT("echo"), VENUED_TEXT("now"));
  if (is(what, size, "venue")) venued_emit(n, VENUED_TO_VENUE, 0, VENUED_TEXT("hello"), VENUED_TEXT("{}"));
  if (is(what, size, "move")) venued_set_pose(n, object, 2048, 1024, 1536);
  if (is(what, size, "teleport")) venued_teleport(n, e->subject, 3072, 1638, 3072);
  if (is(what, size, "lock")) venued_lock(n, door, 1);
  if (is(what, size, "unlock")) venued_lock(n, door, 0);
  if (is(what, size, "timers")) {
    venued_timer_start(n, VENUED_USER, e->subject, 5, 1500000);
    venued_timer_start(n, VENUED_REGION, 0, 6, 2000000);
    venued_timer_cancel(VENUED_REGION, 0, 6);
  }
  if (is(what, size, "store")) venued_kv_put(VENUED_USER, e->subject, VENUED_TEXT("note"), "kept", 4);
  if (is(what, size, "forget")) venued_kv_del(VENUED_USER, e->subject, VENUED_TEXT("note"));
  if (is(what, size, "bytes")) venued_emit(n, VENUED_TO_REGION, 0, VENUED_TEXT("bytes"), VENUED_TEXT("\"a\\nb\""));
  if (is(what, size, "log")) venued_log(VENUED_TEXT("as told"));
  if (is(what, size, "trap")) __builtin_trap();
  if (is(what, size, "abort")) venued_abort(VENUED_TEXT("as told"));
  if (is(what, size, "nobody's")) {
    venued_set_state(n, object, 7);
    venued_set_state(n, 99, 1); /* there is no such thing: the host refuses both */
  }
}

void rule_tick(const venued_batch *b) {
  for (uint32_t i = 0; i < b->events; i++) {
    const venued_event *e = venued_event_at(b, i);
    uint32_t n = i + 1;
    switch (e->kind) {
      case VENUED_MESSAGE: obey(b, n, e); break;
      case VENUED_SIGNAL: venued_emit(n, VENUED_TO_REGION, 0, VENUED_TEXT("signalled"), VENUED_TEXT("{}")); break;
      case VENUED_TIMER: venued_emit(n, VENUED_TO_USER, e->subject, VENUED_TEXT("fired"), VENUED_TEXT("{}")); break;
      case VENUED_JOIN: venued_emit(n, VENUED_TO_REGION, 0, VENUED_TEXT("joined"), VENUED_TEXT("{}")); break;
      case VENUED_LEAVE: venued_emit(n, VENUED_TO_REGION, 0, VENUED_TEXT("left"), VENUED_TEXT("{}")); break;
      case VENUED_ENTER: venued_emit(n, VENUED_TO_NEAR, e->subject, VENUED_TEXT("entered"), VENUED_TEXT("{}")); break;
      case VENUED_EXIT: venued_emit(n, VENUED_TO_NEAR, e->subject, VENUED_TEXT("exited"), VENUED_TEXT("{}")); break;
      case VENUED_GRAB: venued_grant(n, e); break;
      case VENUED_USE: venued_accept(n); break;
      case VENUED_RELEASE: venued_deny(n, e, VENUED_DENY_RULE, VENUED_TEXT("keep it")); break;
      case VENUED_DROPPED: venued_emit(n, VENUED_TO_REGION, 0, VENUED_TEXT("fell"), VENUED_TEXT("{}")); break;
    }
  }
  if (b->events == 0) { /* called for its view of poses */
    for (uint32_t i = 0; i < b->rows; i++) {
      const venued_row *r = venued_row_at(b, i);
      if (r->kind == VENUED_ROW_POSE && r->cls == 2 && r->y > 2 * 1024) venued_emit(0, VENUED_TO_USER, r->id, VENUED_TEXT("hand-up"), VENUED_TEXT("{}"));
    }
  }
}
