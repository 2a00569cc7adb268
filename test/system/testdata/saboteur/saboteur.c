/* A plugin that does, when one of its objects is used, what the object's state word says: for tests of what a bad
 * plugin costs. State 0 is the honest one.
 */
#define VENUED_PLUGIN
#include "venued.h"

enum { HONEST, TRAP, LOOP, MALFORMED, FORBIDDEN, FOREIGN, MEMORY, LOG, ABORT, HALF, STATE, SILENT };

int32_t rule_init(const venued_batch *settings) {
  (void)settings;
  return 0;
}

/* An object of another kind than this one's, from the rows. */
static uint64_t foreign(const venued_batch *batch, const venued_event *use) {
  for (uint32_t i = 0; i < batch->rows; i++) {
    const venued_row *r = venued_row_at(batch, i);
    if (r->kind == VENUED_ROW_OBJECT && r->cls != use->cls) return r->id;
  }
  return 0;
}

static void use(const venued_batch *batch, uint32_t n, const venued_event *e) {
  static const char line[] = "flood, and a line of its own?\nlevel=ERROR msg=forged";
  switch (e->value) {
    case HONEST:
      venued_accept(n);
      break;
    case TRAP:
      __builtin_trap();
    case LOOP:
      for (volatile uint32_t forever = 1; forever;) {}
      break;
    case MALFORMED:
      venued_push((venued_command){.kind = 99, .event = n}, "", 0, "", 0);
      break;
    case FORBIDDEN: /* not in the manifest */
      venued_teleport(n, e->subject, e->x, e->y, e->z);
      break;
    case FOREIGN: /* not of a kind that the rule decides */
      venued_accept(n);
      venued_set_state(0, foreign(batch, e), 77);
      break;
    case MEMORY:
      while (__builtin_wasm_memory_grow(0, 1) != (size_t)-1) {}
      __builtin_trap();
    case LOG:
      for (int i = 0; i < 20000; i++) venued_log(VENUED_TEXT(line));
      venued_accept(n);
      break;
    case ABORT:
      venued_abort(VENUED_TEXT("the saboteur gives up"));
    case HALF: /* something good, then a trap */
      venued_set_state(n, e->object, HONEST);
      venued_kv_put(VENUED_OBJECT, e->object, VENUED_TEXT("half"), "x", 1);
      venued_timer_start(n, VENUED_OBJECT, e->object, 1, 1);
      __builtin_trap();
    case STATE: /* more state than there may be */
      for (uint32_t key = 0; venued_kv_put(VENUED_REGION, 0, (const char *)&key, sizeof key, venued_output, 1 << 14) == 0; key++) {}
      venued_abort(VENUED_TEXT("no more room"));
    case SILENT:
      break;
  }
}

void rule_tick(const venued_batch *batch) {
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    if (e->kind == VENUED_USE) use(batch, i + 1, e);
  }
}
