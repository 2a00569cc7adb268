/* The probe in C: it uses every part of the SDK in a fixed way. See README.md. */
#define VENUED_PLUGIN
#include "venued.h"

static int64_t a, b;
static char text[64];
static size_t text_len;
static int flag;

int32_t rule_init(const venued_batch *s) {
  int64_t refuse = venued_setting_int(s, VENUED_TEXT("refuse"), 0);
  if (refuse) return (int32_t)refuse;
  a = venued_setting_int(s, VENUED_TEXT("a"), 1);
  b = venued_setting_fixed(s, VENUED_TEXT("b"), 2);
  flag = venued_setting_bool(s, VENUED_TEXT("flag"), 0);
  const char *t = venued_setting_text(s, VENUED_TEXT("text"), &text_len);
  if (!t) t = "none", text_len = 4;
  memcpy(text, t, text_len);
  for (uint32_t i = 0; i < s->rows; i++) a += (int64_t)venued_row_at(s, i)->id;
  return 0;
}

void rule_tick(const venued_batch *batch) {
  venued_emit(0, VENUED_TO_REGION, (uint64_t)a, VENUED_TEXT("settings"), text, text_len);
  venued_set_state(0, (uint64_t)b, (uint32_t)flag);
  venued_timer_cancel(VENUED_REGION, batch->tick, batch->time_us);
  venued_timer_cancel(VENUED_REGION, batch->seed, batch->region);
  int64_t n = 0;
  if (venued_kv_get(VENUED_REGION, 0, VENUED_TEXT("n"), &n, sizeof n) != sizeof n) n = 0;
  n++;
  venued_set_state(0, (uint64_t)n, 0);
  if (n == 3)
    venued_kv_del(VENUED_REGION, 0, VENUED_TEXT("n"));
  else
    venued_kv_put(VENUED_REGION, 0, VENUED_TEXT("n"), &n, sizeof n);
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    venued_grant(i + 1, e);
    venued_deny(i + 1, e, VENUED_DENY_NOT_ALLOWED, VENUED_TEXT("no"));
    venued_release(i + 1, e);
    venued_accept(i + 1);
    venued_set_state(i + 1, e->object, e->count ^ e->cls ^ e->kind);
    venued_set_pose(i + 1, e->object, e->x, e->y, e->z);
    venued_door(i + 1, e->object, e->dist);
    venued_lock(i + 1, e->object, e->hand);
    venued_teleport(i + 1, e->subject, e->x, e->y, e->z);
    venued_emit(i + 1, VENUED_TO_NEAR, e->holder, VENUED_TEXT("data"), venued_data(batch, e), e->data_len);
    venued_timer_start(i + 1, e->scope, e->subject, e->value, e->aux);
    venued_timer_cancel(e->scope, e->subject, e->stamp);
    venued_score(i + 1, e->subject, (int64_t)e->value, VENUED_TEXT("points"));
    venued_span topic, payload, from = venued_signal_from(batch, e, &topic, &payload);
    venued_signal(i + 1, VENUED_TEXT("other"), VENUED_TEXT("from"), from.at, from.len);
    venued_signal_region(i + 1, e->count, VENUED_TEXT("other"), VENUED_TEXT("topic"), topic.at, topic.len);
    venued_signal_venue(i + 1, VENUED_TEXT("other"), VENUED_TEXT("payload"), payload.at, payload.len);
    topic = venued_message(batch, e, &payload);
    venued_emit(i + 1, VENUED_TO_VENUE, topic.len, VENUED_TEXT("payload"), payload.at, payload.len);
  }
  for (uint32_t i = 0; i < batch->rows; i++) {
    const venued_row *r = venued_row_at(batch, i);
    venued_set_state(0, r->id, r->state ^ r->flags ^ r->cls ^ r->kind);
    venued_teleport(0, r->holder, r->x, r->y, r->z);
    venued_door(0, r->aux, 1);
    int16_t q[4];
    venued_rotation(r, q);
    venued_set_pose(0, (uint64_t)(int64_t)q[3], q[0], q[1], q[2]);
    venued_lock(0, (uint64_t)(venued_locked(r) + 2 * venued_tracked(r)), 1);
  }
}
