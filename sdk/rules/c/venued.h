/* Write rule plugins for venued in C: one header, no libraries, no allocation.
 *
 * Define VENUED_PLUGIN before including it in the one file that implements
 *
 *     int32_t rule_init(const venued_batch *settings);   0, or a number that refuses them
 *     void rule_tick(const venued_batch *batch);          answers with the venued_... commands
 *
 * and build for wasm32 without a standard library (plugins/build.sh shows the flags).
 * Positions are lattice steps of 1/1024 m in venue coordinates, y up; times are
 * microseconds of server time. Keep nothing in static variables that matters: the host may start
 * the plugin anew before any call. What must last belongs in venued_kv_put. The same batch and
 * state must give the same commands.
 *
 * Wasm is little-endian and admits unaligned access, so records are read in place; they may be
 * longer than the structs here, which is why venued_event_at and venued_row_at step by the size
 * that the header names.
 */
#ifndef VENUED_H
#define VENUED_H

#include <stddef.h>
#include <stdint.h>

enum { VENUED_MAX_INPUT = 256 << 10, VENUED_MAX_OUTPUT = 64 << 10, VENUED_MAX_COMMANDS = 900 };

enum {
  VENUED_JOIN = 1, VENUED_LEAVE, VENUED_ENTER, VENUED_EXIT, VENUED_GRAB,
  VENUED_RELEASE, VENUED_USE, VENUED_TIMER, VENUED_MESSAGE, VENUED_DROPPED
};
enum { VENUED_ROW_OBJECT = 1, VENUED_ROW_USER, VENUED_ROW_DOOR, VENUED_ROW_ZONE };
enum { VENUED_OBJECT = 1, VENUED_USER, VENUED_ZONE, VENUED_REGION, VENUED_VENUE }; /* scopes */
enum { VENUED_DENY_RULE = 0, VENUED_DENY_HELD = 1, VENUED_DENY_REACH = 2, VENUED_DENY_NOT_ALLOWED = 4, VENUED_DENY_NOT_HELD = 8 };
enum { VENUED_TO_USER = 0, VENUED_TO_NEAR, VENUED_TO_REGION };
enum { VENUED_KV_MISSING = -1, VENUED_KV_SCOPE = -2, VENUED_KV_TOO_LARGE = -3, VENUED_KV_MEMORY = -4 };

/* The header of a batch, and of the settings (which are then counted by events). */
typedef struct {
  uint32_t magic;
  uint16_t minor, header_size;
  uint32_t events;
  uint16_t event_size, row_size;
  uint32_t rows, region;
  uint64_t tick, time_us, seed;
  uint32_t bytes;
} venued_batch;

/* What the fields hold depends on the kind; see the contract. */
typedef struct {
  uint16_t kind;
  uint8_t hand, zero1;
  uint16_t scope, zero2;
  uint32_t cls, count;
  uint64_t subject, object, holder, stamp;
  int32_t x, y, z;
  uint32_t dist;
  uint64_t value, aux;
  uint32_t data_offset, data_len;
} venued_event;

typedef struct {
  uint16_t kind, flags;
  uint32_t cls;
  uint64_t id, holder;
  int32_t x, y, z;
  uint32_t state;
  uint64_t aux;
} venued_row;

typedef struct {
  uint16_t kind, scope;
  uint32_t event; /* the number of the event that it answers, from 1; 0 for none */
  uint64_t subject, object;
  int64_t value;
  int32_t x, y, z;
  uint32_t data_offset, data_len, zero;
  uint64_t aux;
} venued_command;

_Static_assert(sizeof(venued_event) == 88 && sizeof(venued_command) == 64, "the contract's sizes");

#define VENUED_IMPORT(name) __attribute__((import_module("venued1"), import_name(name)))
VENUED_IMPORT("log") void venued_log(const char *line, size_t len);
VENUED_IMPORT("abort") _Noreturn void venued_abort(const char *message, size_t len);
/* Each returns a negative VENUED_KV_... number on failure. venued_kv_get returns the value's length; when
 * that is above room, nothing was copied. */
VENUED_IMPORT("kv_get") int32_t venued_kv_get(uint32_t scope, uint64_t subject, const char *key, size_t key_len, void *value, size_t room);
VENUED_IMPORT("kv_put") int32_t venued_kv_put(uint32_t scope, uint64_t subject, const char *key, size_t key_len, const void *value, size_t len);
VENUED_IMPORT("kv_del") int32_t venued_kv_del(uint32_t scope, uint64_t subject, const char *key, size_t key_len);

/* A text literal and its length. */
#define VENUED_TEXT(s) (s), sizeof(s) - 1

/* Event i of a batch, from 0; the number that commands answer it by is i + 1. */
static inline const venued_event *venued_event_at(const venued_batch *b, uint32_t i) {
  return (const venued_event *)((const char *)b + b->header_size + (size_t)i * b->event_size);
}

static inline const venued_row *venued_row_at(const venued_batch *b, uint32_t i) {
  return (const venued_row *)((const char *)b + b->header_size + (size_t)b->events * b->event_size + (size_t)i * b->row_size);
}

/* The data_len bytes of an event's data: a name, or a topic, a zero byte and a payload. */
static inline const char *venued_data(const venued_batch *b, const venued_event *e) { return (const char *)b + e->data_offset; }

/* Settings by name. A fixed number counts units of 1/1024, so that a length in metres is lattice
 * steps at once; whole numbers in the venue's file count as well. */
int64_t venued_setting_int(const venued_batch *settings, const char *name, size_t len, int64_t otherwise);
int64_t venued_setting_fixed(const venued_batch *settings, const char *name, size_t len, int64_t otherwise);
int venued_setting_bool(const venued_batch *settings, const char *name, size_t len, int otherwise);
/* The text and, in *text_len, its length; 0 when it is not set or not a text. It is valid during rule_init. */
const char *venued_setting_text(const venued_batch *settings, const char *name, size_t len, size_t *text_len);

/* Answers to event number n (from 1). */
void venued_grant(uint32_t n, const venued_event *grab);
void venued_deny(uint32_t n, const venued_event *request, int64_t reason, const char *sentence, size_t len);
void venued_release(uint32_t n, const venued_event *request);
void venued_accept(uint32_t n);

/* Deeds; n is the number of the event that asked for it, or 0. */
void venued_set_state(uint32_t n, uint64_t object, uint32_t state);
void venued_set_pose(uint32_t n, uint64_t object, int32_t x, int32_t y, int32_t z);
void venued_door(uint32_t n, uint64_t door, uint32_t permille);
void venued_lock(uint32_t n, uint64_t door, int locked);
void venued_teleport(uint32_t n, uint64_t user, int32_t x, int32_t y, int32_t z);
/* name must end with its zero byte, which VENUED_TEXT's literals do: it parts it from the payload. */
void venued_emit(uint32_t n, int64_t audience, uint64_t subject, const char *name, size_t name_len, const char *json, size_t json_len);
void venued_timer_start(uint16_t scope, uint64_t subject, uint64_t id, uint64_t after_us);
void venued_timer_cancel(uint16_t scope, uint64_t subject, uint64_t id);

/* Any other command, with data that consists of two parts. Past the limits of a call (900 commands,
 * 64 KiB) it ends the call; the host then tries the batch in smaller parts. */
void venued_push(venued_command c, const char *data1, size_t len1, const char *data2, size_t len2);

/* Appends n in decimal at p and returns the end; 20 bytes are enough. */
static inline char *venued_decimal(char *p, uint64_t n) {
  char digits[20];
  int len = 0;
  do digits[len++] = (char)('0' + n % 10); while (n /= 10);
  while (len) *p++ = digits[--len];
  return p;
}

#ifdef VENUED_PLUGIN

int32_t rule_init(const venued_batch *settings);
void rule_tick(const venued_batch *batch);

/* The compiler calls these for copies of structs even where there is no library. */
void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  char *t = to;
  const char *f = from;
  while (n--) *t++ = *f++;
  return to;
}
void *memset(void *to, int c, size_t n) {
  char *t = to;
  while (n--) *t++ = (char)c;
  return to;
}

static _Alignas(8) char venued_input[VENUED_MAX_INPUT];
static _Alignas(8) char venued_output[VENUED_MAX_OUTPUT];
static char venued_bytes[VENUED_MAX_OUTPUT]; /* the commands' data until the end of the call */
static uint32_t venued_count, venued_bytes_len;

enum { VENUED_COMMAND_HEADER = 16 };

void venued_push(venued_command c, const char *data1, size_t len1, const char *data2, size_t len2) {
  venued_command *list = (venued_command *)(venued_output + VENUED_COMMAND_HEADER);
  size_t used = VENUED_COMMAND_HEADER + (venued_count + 1) * sizeof(venued_command) + venued_bytes_len;
  /* Each length is compared on its own: a sum could wrap. */
  if (venued_count == VENUED_MAX_COMMANDS || len1 > VENUED_MAX_OUTPUT || len2 > VENUED_MAX_OUTPUT || used + len1 + len2 > VENUED_MAX_OUTPUT)
    venued_abort(VENUED_TEXT("more commands than a call may have"));
  c.data_offset = venued_bytes_len;
  c.data_len = (uint32_t)(len1 + len2);
  list[venued_count++] = c;
  memcpy(venued_bytes + venued_bytes_len, data1, len1);
  memcpy(venued_bytes + venued_bytes_len + len1, data2, len2);
  venued_bytes_len += c.data_len;
}

static void venued_answer(uint16_t kind, uint32_t n, const venued_event *e, int64_t value, const char *text, size_t len) {
  venued_push((venued_command){.kind = kind, .event = n, .subject = e->subject, .object = e->object, .value = value}, text, len, "", 0);
}
void venued_grant(uint32_t n, const venued_event *grab) { venued_answer(1, n, grab, grab->hand, "", 0); }
void venued_deny(uint32_t n, const venued_event *request, int64_t reason, const char *sentence, size_t len) { venued_answer(2, n, request, reason, sentence, len); }
void venued_release(uint32_t n, const venued_event *request) { venued_answer(3, n, request, 0, "", 0); }
void venued_accept(uint32_t n) { venued_push((venued_command){.kind = 12, .event = n}, "", 0, "", 0); }
void venued_set_state(uint32_t n, uint64_t object, uint32_t state) { venued_push((venued_command){.kind = 4, .event = n, .object = object, .value = state}, "", 0, "", 0); }
void venued_door(uint32_t n, uint64_t door, uint32_t permille) { venued_push((venued_command){.kind = 6, .event = n, .object = door, .value = permille}, "", 0, "", 0); }
void venued_set_pose(uint32_t n, uint64_t object, int32_t x, int32_t y, int32_t z) { venued_push((venued_command){.kind = 5, .event = n, .object = object, .x = x, .y = y, .z = z}, "", 0, "", 0); }
void venued_lock(uint32_t n, uint64_t door, int locked) { venued_push((venued_command){.kind = 7, .event = n, .object = door, .value = locked != 0}, "", 0, "", 0); }
void venued_teleport(uint32_t n, uint64_t user, int32_t x, int32_t y, int32_t z) { venued_push((venued_command){.kind = 8, .event = n, .subject = user, .x = x, .y = y, .z = z}, "", 0, "", 0); }
void venued_emit(uint32_t n, int64_t audience, uint64_t subject, const char *name, size_t name_len, const char *json, size_t json_len) {
  venued_push((venued_command){.kind = 9, .event = n, .subject = subject, .value = audience}, name, name_len + 1, json, json_len);
}
void venued_timer_start(uint16_t scope, uint64_t subject, uint64_t id, uint64_t after_us) {
  venued_push((venued_command){.kind = 10, .scope = scope, .subject = subject, .value = (int64_t)id, .aux = after_us}, "", 0, "", 0);
}
void venued_timer_cancel(uint16_t scope, uint64_t subject, uint64_t id) {
  venued_push((venued_command){.kind = 11, .scope = scope, .subject = subject, .value = (int64_t)id}, "", 0, "", 0);
}

typedef struct {
  uint32_t name_offset, name_len, type, zero;
  int64_t value;
  uint32_t text_offset, text_len;
} venued_setting;

enum { VENUED_SETTING_INT = 1, VENUED_SETTING_FIXED, VENUED_SETTING_TEXT, VENUED_SETTING_BOOL };

static const venued_setting *venued_find(const venued_batch *b, const char *name, size_t len) {
  for (uint32_t i = 0; i < b->events; i++) {
    const venued_setting *s = (const venued_setting *)venued_event_at(b, i);
    const char *have = (const char *)b + s->name_offset;
    size_t k = 0;
    if (s->name_len != len) continue;
    while (k < len && have[k] == name[k]) k++;
    if (k == len) return s;
  }
  return 0;
}

int64_t venued_setting_int(const venued_batch *settings, const char *name, size_t len, int64_t otherwise) {
  const venued_setting *s = venued_find(settings, name, len);
  return s && s->type == VENUED_SETTING_INT ? s->value : otherwise;
}

int64_t venued_setting_fixed(const venued_batch *settings, const char *name, size_t len, int64_t otherwise) {
  const venued_setting *s = venued_find(settings, name, len);
  if (s && s->type == VENUED_SETTING_FIXED) return s->value;
  return s && s->type == VENUED_SETTING_INT ? s->value * 1024 : otherwise;
}

int venued_setting_bool(const venued_batch *settings, const char *name, size_t len, int otherwise) {
  const venued_setting *s = venued_find(settings, name, len);
  return s && s->type == VENUED_SETTING_BOOL ? s->value != 0 : otherwise;
}

const char *venued_setting_text(const venued_batch *settings, const char *name, size_t len, size_t *text_len) {
  const venued_setting *s = venued_find(settings, name, len);
  if (!s || s->type != VENUED_SETTING_TEXT) return 0;
  *text_len = s->text_len;
  return (const char *)settings + s->text_offset;
}

#define VENUED_EXPORT(name) __attribute__((export_name(name)))

VENUED_EXPORT("venued_abi_1") void venued_abi_1(void) {}

VENUED_EXPORT("venued_alloc") char *venued_alloc(uint32_t n) { return n <= VENUED_MAX_INPUT ? venued_input : 0; }

VENUED_EXPORT("venued_init") int32_t venued_init(const venued_batch *settings, uint32_t len) {
  (void)len;
  return rule_init(settings);
}

VENUED_EXPORT("venued_tick") uint64_t venued_tick(const venued_batch *batch, uint32_t len) {
  (void)len;
  venued_count = venued_bytes_len = 0;
  rule_tick(batch);
  if (venued_count == 0) return 0;
  venued_command *list = (venued_command *)(venued_output + VENUED_COMMAND_HEADER);
  uint32_t base = VENUED_COMMAND_HEADER + venued_count * (uint32_t)sizeof(venued_command);
  for (uint32_t i = 0; i < venued_count; i++) list[i].data_offset = list[i].data_len ? list[i].data_offset + base : 0;
  uint32_t *head = (uint32_t *)venued_output;
  head[0] = 0x31434e56; /* VNC1 */
  head[1] = (uint32_t)sizeof(venued_command) << 16; /* minor version 0, record size */
  head[2] = venued_count;
  head[3] = 0;
  memcpy(venued_output + base, venued_bytes, venued_bytes_len);
  return (uint64_t)(uintptr_t)venued_output << 32 | (base + venued_bytes_len);
}

#endif
#endif
