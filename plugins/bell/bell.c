/* A bell: whoever uses it rings it, and those around hear of it. Its state word counts the rings.
 * While it still sounds a second ring is denied.
 *
 * Setting: quiet_s, seconds that it sounds, default 0.25.
 */
#define VENUED_PLUGIN
#include "venued.h"

static uint64_t quiet_us;

/* What is kept of a bell, under its own scope. */
typedef struct {
  uint64_t last_us;
  uint32_t rings, zero;
} bell;

int32_t rule_init(const venued_batch *settings) {
  int64_t quiet = venued_setting_fixed(settings, VENUED_TEXT("quiet_s"), 256); /* 0.25 s */
  if (quiet < 0 || quiet > 86400 * 1024) {
    venued_log(VENUED_TEXT("quiet_s must be between 0 and 86400"));
    return 1;
  }
  quiet_us = (uint64_t)quiet * 1000000 / 1024;
  return 0;
}

static void ring(const venued_batch *batch, uint32_t n, const venued_event *e) {
  bell b = {0};
  if (venued_kv_get(VENUED_OBJECT, e->object, VENUED_TEXT("bell"), &b, sizeof b) == sizeof b && b.rings > 0 &&
      batch->time_us < b.last_us + quiet_us) {
    venued_deny(n, e, VENUED_DENY_RULE, VENUED_TEXT("it is still ringing"));
    return;
  }
  b.rings++;
  b.last_us = batch->time_us;
  if (venued_kv_put(VENUED_OBJECT, e->object, VENUED_TEXT("bell"), &b, sizeof b) < 0) {
    venued_deny(n, e, VENUED_DENY_RULE, VENUED_TEXT("the bell cannot remember its rings"));
    return;
  }
  venued_set_state(n, e->object, b.rings);

  char json[80], *p = json;
  static const char object[] = "{\"object\":\"", rings[] = "\",\"rings\":";
  for (const char *s = object; *s;) *p++ = *s++;
  p = venued_decimal(p, e->object);
  for (const char *s = rings; *s;) *p++ = *s++;
  p = venued_decimal(p, b.rings);
  *p++ = '}';
  venued_emit(n, VENUED_TO_NEAR, e->object, VENUED_TEXT("bell"), json, (size_t)(p - json));
}

void rule_tick(const venued_batch *batch) {
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    if (e->kind == VENUED_USE) ring(batch, i + 1, e);
  }
}
