/* A line of people: who steps into one of its zones draws a number and keeps it until they step out. Using one of its objects, a
 * counter, calls the next one; the counter's state is the number that it called last.
 *
 * No settings.
 */
#define VENUED_PLUGIN
#include "venued.h"

typedef struct {
  uint64_t user;
  int64_t number;
} place;

/* What does not fit is told to come back: the line stays far below the largest value of the state. */
enum { MAX_LINE = 256 };

static place line[MAX_LINE]; /* of the call: the region's state holds it */
static uint32_t length;

int32_t rule_init(const venued_batch *settings) {
  (void)settings;
  return 0;
}

static void read_line(void) {
  int32_t n = venued_kv_get(VENUED_REGION, 0, VENUED_TEXT("line"), line, sizeof line);
  length = n > 0 && (size_t)n <= sizeof line ? (uint32_t)n / sizeof(place) : 0;
}

static int write_line(void) { return venued_kv_put(VENUED_REGION, 0, VENUED_TEXT("line"), line, length * sizeof(place)) == 0; }

static void remove_at(uint32_t i) {
  for (length--; i < length; i++) line[i] = line[i + 1];
}

/* Is who drew that number still here? The number of a user may come back as another person's. */
static int waits(const place *p) { return venued_kv_int(VENUED_USER, p->user, VENUED_TEXT("number"), 0) == p->number; }

static char room[128];

static venued_writer number_json(int64_t number) {
  venued_writer w = {room, sizeof room, 0};
  venued_write(&w, VENUED_TEXT("{\"number\":"));
  venued_write_int(&w, number);
  return w;
}

static void enter(uint32_t n, uint64_t user) {
  read_line();
  for (uint32_t i = length; i > 0; i--) { /* from behind: those behind move up */
    if (!waits(&line[i - 1])) remove_at(i - 1);
    else if (line[i - 1].user == user) return; /* came from another zone of the line */
  }
  int64_t number = venued_kv_int(VENUED_REGION, 0, VENUED_TEXT("last"), 0) + 1;
  if (length == MAX_LINE || venued_kv_put_int(VENUED_USER, user, VENUED_TEXT("number"), number) != 0) {
    venued_emit(n, VENUED_TO_USER, user, VENUED_TEXT("queue.full"), VENUED_TEXT("{}"));
    return;
  }
  line[length++] = (place){user, number};
  if (!write_line() || venued_kv_put_int(VENUED_REGION, 0, VENUED_TEXT("last"), number) != 0) VENUED_ABORT("there is no room to keep the line");
  venued_writer w = number_json(number);
  venued_write(&w, VENUED_TEXT(",\"before\":"));
  venued_write_uint(&w, length - 1);
  venued_write(&w, VENUED_TEXT("}"));
  venued_emit(n, VENUED_TO_USER, user, VENUED_TEXT("queue.number"), w.at, w.len);
}

static void leave(uint32_t n, uint64_t user) {
  read_line();
  for (uint32_t i = 0; i < length; i++) {
    if (line[i].user != user) continue;
    venued_writer w = number_json(line[i].number);
    venued_write(&w, VENUED_TEXT("}"));
    venued_emit(n, VENUED_TO_USER, user, VENUED_TEXT("queue.left"), w.at, w.len);
    remove_at(i);
    write_line();
    venued_kv_del(VENUED_USER, user, VENUED_TEXT("number"));
    return;
  }
}

static void call_next(uint32_t n, const venued_event *e) {
  read_line();
  while (length > 0 && !waits(&line[0])) remove_at(0);
  if (length == 0) {
    write_line();
    venued_deny(n, e, VENUED_DENY_RULE, VENUED_TEXT("nobody stands in line"));
    return;
  }
  place next = line[0];
  remove_at(0);
  write_line();
  venued_kv_del(VENUED_USER, next.user, VENUED_TEXT("number"));
  venued_accept(n);
  venued_set_state(n, e->object, (uint32_t)next.number);
  venued_writer w = number_json(next.number);
  venued_write(&w, VENUED_TEXT(",\"counter\":\""));
  venued_write_uint(&w, e->object);
  venued_write(&w, VENUED_TEXT("\"}"));
  venued_emit(n, VENUED_TO_USER, next.user, VENUED_TEXT("queue.called"), w.at, w.len);
  venued_emit(n, VENUED_TO_REGION, e->object, VENUED_TEXT("queue.next"), w.at, w.len);
}

void rule_tick(const venued_batch *batch) {
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    switch (e->kind) {
    case VENUED_ENTER: enter(i + 1, e->subject); break;
    case VENUED_EXIT: leave(i + 1, e->subject); break;
    case VENUED_USE: call_next(i + 1, e); break;
    }
  }
}
