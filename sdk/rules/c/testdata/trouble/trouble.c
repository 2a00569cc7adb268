/* A rule that gets into the trouble that a message names, for the header's tests. */
#define VENUED_PLUGIN
#define VENUED_MIGRATE
#include "venued.h"

int32_t rule_init(const venued_batch *settings) { return (int32_t)venued_setting_int(settings, VENUED_TEXT("refuse"), 0); }

static char room[200];

void rule_tick(const venued_batch *batch) {
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    venued_span payload;
    venued_message(batch, e, &payload);
    venued_writer w = {room, sizeof room, 0};
    if (venued_span_is(payload, VENUED_TEXT("abort"))) VENUED_ABORT("enough");
    VENUED_ASSERT(!venued_span_is(payload, VENUED_TEXT("assert")));
    if (venued_span_is(payload, VENUED_TEXT("commands")))
      for (uint64_t k = 0;; k++) venued_door(0, k, 0);
    if (venued_span_is(payload, VENUED_TEXT("bytes")))
      for (;;) venued_emit(0, VENUED_TO_REGION, 0, VENUED_TEXT("x"), (const char *)batch, 40000);
    if (venued_span_is(payload, VENUED_TEXT("text")))
      for (;;) venued_write(&w, VENUED_TEXT("more"));
    if (venued_span_is(payload, VENUED_TEXT("json"))) {
      static const char odd[] = "a\"\\\n\x01\xc3\xa9";
      venued_write_json(&w, VENUED_TEXT(odd));
      venued_write_int(&w, INT64_MIN);
      venued_write_uint(&w, UINT64_MAX);
      venued_emit(i + 1, VENUED_TO_USER, e->subject, VENUED_TEXT("json"), w.at, w.len);
    }
    if (venued_span_is(payload, VENUED_TEXT("count"))) {
      int64_t sum;
      VENUED_ASSERT(venued_kv_add_int(VENUED_USER, e->subject, VENUED_TEXT("n"), 3, &sum) == 0);
      venued_score(i + 1, e->subject, sum, VENUED_TEXT("trouble"));
    }
  }
}

int32_t rule_migrate(int32_t from) {
  if (from != 1) return from;
  VENUED_ASSERT(venued_kv_int(VENUED_REGION, 0, VENUED_TEXT("bad"), 0) == 0);
  venued_kv_put_int(VENUED_REGION, 0, VENUED_TEXT("new"), 2 * venued_kv_int(VENUED_REGION, 0, VENUED_TEXT("old"), 0));
  return venued_kv_del(VENUED_REGION, 0, VENUED_TEXT("old"));
}
