/* A quiz: clients send their answers as messages of topic "quiz". The right one scores, once a person and round. Using one of
 * the rule's objects starts the next round.
 *
 * Settings: answer, the right answer, default "b"; points, default 10.
 */
#define VENUED_PLUGIN
#include "venued.h"

static char answer[64];
static size_t answer_len;
static int64_t points;

int32_t rule_init(const venued_batch *settings) {
  size_t len = 1;
  const char *text = venued_setting_text(settings, VENUED_TEXT("answer"), &len);
  if (!text) text = "b";
  if (len == 0 || len > sizeof answer) {
    venued_log(VENUED_TEXT("answer must have 1 to 64 bytes"));
    return 1;
  }
  memcpy(answer, text, len);
  answer_len = len;
  points = venued_setting_int(settings, VENUED_TEXT("points"), 10);
  if (points < 1 || points > 1000000) {
    venued_log(VENUED_TEXT("points must be between 1 and 1000000"));
    return 1;
  }
  return 0;
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static venued_span trim_left(venued_span s) {
  while (s.len && is_space(*s.at)) s.at++, s.len--;
  return s;
}

/* Takes c off the front of s and returns 1, or 0 when it does not stand there. */
static int cut_byte(venued_span *s, char c) {
  if (s->len == 0 || *s->at != c) return 0;
  s->at++, s->len--;
  return 1;
}

/* The answer in a payload, which is {"answer":"b"} or the answer itself; empty for none. */
static venued_span given(venued_span p) {
  static const char key[] = "\"answer\"";
  const size_t key_len = sizeof key - 1;
  const venued_span none = {"", 0};
  p = trim_left(p);
  while (p.len && is_space(p.at[p.len - 1])) p.len--;
  if (p.len == 0 || *p.at != '{') return p;
  while (p.len >= key_len && !venued_span_is((venued_span){p.at, key_len}, key, key_len)) p.at++, p.len--;
  if (p.len < key_len) return none;
  p = trim_left((venued_span){p.at + key_len, p.len - key_len});
  if (!cut_byte(&p, ':')) return none;
  p = trim_left(p);
  if (!cut_byte(&p, '"')) return none;
  for (size_t i = 0; i < p.len; i++) {
    if (p.at[i] == '\\') return none;
    if (p.at[i] == '"') return (venued_span){p.at, i};
  }
  return none;
}

/* The number of the round, from 1. */
static int64_t round_now(void) { return venued_kv_int(VENUED_REGION, 0, VENUED_TEXT("round"), 1); }

static char room[80];

static venued_writer round_json(int64_t round) {
  venued_writer w = {room, sizeof room, 0};
  venued_write(&w, VENUED_TEXT("{\"round\":"));
  venued_write_int(&w, round);
  return w;
}

static void right(uint32_t n, uint64_t user, int64_t round, int64_t earned) {
  venued_writer w = round_json(round);
  venued_write(&w, VENUED_TEXT(",\"points\":"));
  venued_write_int(&w, earned);
  venued_write(&w, VENUED_TEXT("}"));
  venued_emit(n, VENUED_TO_USER, user, VENUED_TEXT("quiz.right"), w.at, w.len);
}

static void judge(uint32_t n, const venued_event *e, venued_span said) {
  int64_t now = round_now();
  if (said.len == 0) return;
  if (!venued_span_is(said, answer, answer_len)) {
    venued_writer w = round_json(now);
    venued_write(&w, VENUED_TEXT("}"));
    venued_emit(n, VENUED_TO_USER, e->subject, VENUED_TEXT("quiz.wrong"), w.at, w.len);
  } else if (venued_kv_int(VENUED_USER, e->subject, VENUED_TEXT("round"), 0) == now) {
    right(n, e->subject, now, 0); /* has its points already */
  } else if (venued_kv_put_int(VENUED_USER, e->subject, VENUED_TEXT("round"), now) == 0) {
    venued_score(n, e->subject, points, VENUED_TEXT("quiz"));
    right(n, e->subject, now, points);
  }
}

static void next(uint32_t n, const venued_event *e) {
  int64_t now = round_now() + 1;
  if (venued_kv_put_int(VENUED_REGION, 0, VENUED_TEXT("round"), now) != 0) {
    venued_deny(n, e, VENUED_DENY_RULE, VENUED_TEXT("the round cannot be kept"));
    return;
  }
  venued_accept(n);
  venued_writer w = round_json(now);
  venued_write(&w, VENUED_TEXT("}"));
  venued_emit(n, VENUED_TO_REGION, e->object, VENUED_TEXT("quiz.round"), w.at, w.len);
}

void rule_tick(const venued_batch *batch) {
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    if (e->kind == VENUED_USE) next(i + 1, e);
    if (e->kind != VENUED_MESSAGE) continue;
    venued_span payload, topic = venued_message(batch, e, &payload);
    if (venued_span_is(topic, VENUED_TEXT("quiz"))) judge(i + 1, e, given(payload));
  }
}
