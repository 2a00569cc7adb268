/** Numbers and records of the contract. Generated from abi/schema.json by go generate ./abi: do not edit. */

/** The minor version of the contract that this kit was made from. */
export const MINOR: u32 = 1;
/** The first four bytes, "VNB1". */
export const MAGIC_BATCH: u32 = 0x31424e56;
/** The first four bytes, "VNC1". */
export const MAGIC_COMMANDS: u32 = 0x31434e56;
/** The first four bytes, "VNI1". */
export const MAGIC_INIT: u32 = 0x31494e56;

/** Bytes of a batch. */
export const MAX_INPUT: u32 = 256 << 10;
/** Bytes of the commands of a call. */
export const MAX_OUTPUT: u32 = 64 << 10;
/** Commands of a call. */
export const MAX_COMMANDS: u32 = 900;
/** Bytes of keys and values, a rule and region. */
export const MAX_STATE: u32 = 256 << 10;
/** Bytes of a key, of a topic, of a setting's name. */
export const MAX_KEY: u32 = 128;
/** Bytes of a value, of a setting's text. */
export const MAX_VALUE: u32 = 16 << 10;
/** Bytes of payload of an event to or from a client, and of a signal. */
export const MAX_MESSAGE: u32 = 1 << 10;
/** Bytes of log, a rule and second. */
export const MAX_LOG_BYTES: u32 = 1 << 10;
/** Timers of a rule and region. */
export const MAX_TIMERS: u32 = 1 << 10;
/** Signals that wait for a rule in a region. */
export const MAX_SIGNALS: u32 = 256;
/** Rate of a view of poses, a second. */
export const MAX_POSE_HZ: u32 = 30;
/** The 1 of a pose's rotation. */
export const ROTATION_ONE: u32 = 32767;
/** Bytes of a record of this minor version. */
export const HEADER_SIZE: u32 = 64;
/** Bytes of a record of this minor version. */
export const EVENT_SIZE: u32 = 88;
/** Bytes of a record of this minor version. */
export const ROW_SIZE: u32 = 56;
/** Bytes of a record of this minor version. */
export const COMMAND_HEADER_SIZE: u32 = 16;
/** Bytes of a record of this minor version. */
export const COMMAND_SIZE: u32 = 64;
/** Bytes of a record of this minor version. */
export const SETTING_SIZE: u32 = 32;

// EventKind says what happened. Kinds are never renumbered; skip those that you do not know.
/** Somebody came into the region. subject: user; at: head position; aux: region that handed the person over, its number + 1; 0 for somebody who came into the venue; data: display name. */
export const EVENT_JOIN: u16 = 1;
/** Somebody left the region. subject: user; aux: region that the person is handed over to, its number + 1; 0 for somebody who leaves the venue. */
export const EVENT_LEAVE: u16 = 2;
/** A person's head came into a zone. subject: user; object: zone; value: people in the zone after this tick; aux: door tied to the zone, or 0; at: head position. */
export const EVENT_ENTER: u16 = 3;
/** A person left a zone, or the venue. subject: user; object: zone; value: people in the zone after this tick; aux: door tied to the zone, or 0; at: head position. */
export const EVENT_EXIT: u16 = 4;
/** Request to take an object, answered by grant or deny. Requests for one object that were gathered in a window come in one batch, ordered by stamp, then arrival, then user. subject: user; object: object; cls: its kind; hand: the hand; at: the hand's position; dist: from hand to object; holder: who holds it, or 0; stamp: when the hand closed (clamped). */
export const EVENT_GRAB: u16 = 5;
/** Request to let go, answered by release or deny. subject: user; object: object; cls: its kind; hand: the hand; at: the hand's position. */
export const EVENT_RELEASE: u16 = 6;
/** Request to use an object, answered by any command that names it, or deny. subject: user; object: object; cls: its kind; hand: the hand; at: the hand's position; dist: from hand to object; holder: who holds it, or 0; value: the object's state. */
export const EVENT_USE: u16 = 7;
/** A timer fired. scope: as started; subject: as started; value: its id; aux: due time (it may be overdue); object: subject, for zones; count: people in it, for zones. */
export const EVENT_TIMER: u16 = 8;
/** A client's message. subject: user; data: topic, a zero byte, payload (opaque to the host). */
export const EVENT_MESSAGE: u16 = 9;
/** The host took an object out of a hand: its holder left, or an admin took it. subject: user; object: object; cls: its kind. */
export const EVENT_DROPPED: u16 = 10;
/** A message from another rule. object: the sender's region number + 1; data: the sending rule's name in the venue, a zero byte, topic, a zero byte, payload. Since minor version 1. */
export const EVENT_SIGNAL: u16 = 11;

// RowKind says what a view row shows.
/** An object. id: object; cls: its kind; at: position; state: its state word; holder: who holds it, or 0. */
export const ROW_OBJECT: u16 = 1;
/** A person. id: user; at: head position. */
export const ROW_USER: u16 = 2;
/** A door. id: door; state: permille open; flags: locked. */
export const ROW_DOOR: u16 = 3;
/** A zone. id: zone; state: people in it; aux: door tied to it, or 0. */
export const ROW_ZONE: u16 = 4;
/** A part of a body; each user has three rows, head, left, right. id: user; cls: part; at: position; aux: rotation: a quaternion of four i16 in 1/32767, x lowest, then y, z, w; flags: tracked. Since minor version 1. */
export const ROW_POSE: u16 = 5;

// CommandKind says what a plugin wants done. Kinds are never renumbered.
/** Gives an object to who asked; answers a grab. Refused (a fault) when somebody else holds it. subject: user; object: object; value: hand: 0 left, 1 right. */
export const CMD_GRANT: u16 = 1;
/** Answers any request. value: reason; data: a sentence, may be empty. */
export const CMD_DENY: u16 = 2;
/** Takes an object out of the hand that holds it. object: object. */
export const CMD_RELEASE: u16 = 3;
/** Sets an object's state word. object: object; value: the state, u32. */
export const CMD_SET_STATE: u16 = 4;
/** Puts an object somewhere, upright; refused while it is held. object: object; at: position. */
export const CMD_SET_POSE: u16 = 5;
/** Moves a door toward an opening, at its own speed. object: door; value: permille open: 0 closed, 1000 open. */
export const CMD_DOOR: u16 = 6;
/** Locks or unlocks a door. object: door; value: 1 locks, 0 unlocks. */
export const CMD_LOCK: u16 = 7;
/** Puts a user's head somewhere. subject: user; at: position. */
export const CMD_TELEPORT: u16 = 8;
/** Sends an event to clients. value: audience; subject: the user of audience user, the centre of audience near; data: name, a zero byte, payload (JSON text). */
export const CMD_EMIT: u16 = 9;
/** Starts a timer, anew if it runs. scope: what it belongs to; subject: what it belongs to; value: its id; aux: microseconds from this tick. */
export const CMD_TIMER_START: u16 = 10;
/** Cancels a timer; unknown ones are ignored. scope: what it belongs to; subject: what it belongs to; value: its id. */
export const CMD_TIMER_CANCEL: u16 = 11;
/** Answers a use (or a release) as granted, without doing anything else. */
export const CMD_ACCEPT: u16 = 12;
/** Adds to a user's score on a board. subject: user of this region; value: what to add, signed; data: the board's name: a to z first, then up to 31 of a to z, 0 to 9 and -. Since minor version 1. */
export const CMD_SCORE: u16 = 13;
/** Sends a message to another rule, which gets it as a signal event. To the rule in this region (scope region or 0, subject 0) it goes with the next tick's batch. Refused (a fault) when too many wait for the target. scope: region (or 0), or venue: the rule in the venue's home region; subject: 0, or with scope region another region's number + 1; data: the target rule's name in the venue, a zero byte, topic, a zero byte, payload. Since minor version 1. */
export const CMD_SIGNAL: u16 = 14;

// Audience says who hears of an emitted event.
/** The subject. */
export const TO_USER: i64 = 0;
/** People who can see the subject. */
export const TO_NEAR: i64 = 1;
/** Everybody in the region. */
export const TO_REGION: i64 = 2;
/** Everybody in the venue, whatever their region. Since minor version 1. */
export const TO_VENUE: i64 = 3;

// Reason says why a request is denied; the host's own denials use the same numbers.
/** The rule said no. */
export const DENY_RULE: i64 = 0;
/** Somebody holds it. */
export const DENY_HELD: i64 = 1;
/** Out of reach. */
export const DENY_REACH: i64 = 2;
/** No such object. */
export const DENY_UNKNOWN: i64 = 3;
/** Not grabbable, not usable. */
export const DENY_NOT_ALLOWED: i64 = 4;
/** No rule answered. */
export const DENY_UNANSWERED: i64 = 5;
/** The rule failed on this request. */
export const DENY_FAULT: i64 = 6;
/** The rule is in quarantine. */
export const DENY_QUARANTINE: i64 = 7;
/** A release of what the user does not hold. */
export const DENY_NOT_HELD: i64 = 8;

// Scope is what a key or a timer belongs to and travels with.
/** An object or a door; the subject is its id, which is its own for ever. */
export const SCOPE_OBJECT: u16 = 1;
/** A person; the subject is the user's id, which holds until they leave. Keys follow the person's account, timers end when the user leaves. */
export const SCOPE_USER: u16 = 2;
/** A zone; the subject is its id, which holds until the venue's file changes. Keys follow the zone's name. */
export const SCOPE_ZONE: u16 = 3;
/** The region; the subject is 0. */
export const SCOPE_REGION: u16 = 4;
/** The venue; the subject is 0. Only the home region, the first of the venue's file, has these keys. */
export const SCOPE_VENUE: u16 = 5;

// Part is a part of a body, the class of a pose row.
/** The head. Since minor version 1. */
export const PART_HEAD: u32 = 0;
/** The left hand. Since minor version 1. */
export const PART_LEFT: u32 = 1;
/** The right hand. Since minor version 1. */
export const PART_RIGHT: u32 = 2;

// Flag is a bit of a row's flags; which one depends on the row's kind.
/** Doors: the door is locked. */
export const FLAG_LOCKED: u16 = 1;
/** Poses: where the part is is known. Since minor version 1. */
export const FLAG_TRACKED: u16 = 1;

// Result is a negative result of the calls for state.
/** No such key. */
export const KV_MISSING: i32 = -1;
/** An unknown scope, or a subject that is not in this region; also any call before venued_init returned. */
export const KV_SCOPE: i32 = -2;
/** The key, the value, or the state as a whole would be above its limit. */
export const KV_TOO_LARGE: i32 = -3;
/** A pointer outside the plugin's memory. */
export const KV_MEMORY: i32 = -4;
/** The manifest has a state list, and no such key in this scope. Since minor version 1. */
export const KV_UNDECLARED: i32 = -5;

// SettingType is the type of a setting.
/** A whole number. */
export const SETTING_INT: u32 = 1;
/** A number with a fraction, in 1/1024, rounded to the nearest. */
export const SETTING_FIXED: u32 = 2;
/** A text. */
export const SETTING_TEXT: u32 = 3;
/** True or false: 1 or 0. */
export const SETTING_BOOL: u32 = 4;

/** Starts a batch. */
@unmanaged
export class Header {
  /** "VNB1", or "VNI1" for an init batch. */
  protected magic: u32;
  /** Minor version of the host. */
  minor: u16;
  /** Where the events begin. */
  protected headerSize: u16;
  /** The number of events; in an init batch, of settings. */
  events: u32;
  /** Bytes from one event (or setting) to the next. */
  protected eventSize: u16;
  /** Bytes from one row to the next. */
  protected rowSize: u16;
  /** The number of rows, which follow the events. */
  rows: u32;
  /** The region's number in the venue. */
  region: u32;
  /** The tick's number; numbers may be skipped. */
  tick: u64;
  /** Server time of the tick, microseconds. */
  timeUS: u64;
  /** The same number for a batch on every machine: the only source of chance. */
  seed: u64;
  /** Length of the whole batch. */
  protected bytes: u32;
}

/** One thing that happened; what the fields hold depends on the kind, and fields it does not name are zero. */
@unmanaged
export class Event {
  /** What happened; skip kinds that you do not know. */
  kind: u16;
  /** 0 left, 1 right. */
  hand: u8;
  protected reserved3: u8;
  /** Of a timer. */
  scope: u16;
  protected reserved6: u16;
  /** The object's kind, its index in the venue's list of kinds. */
  cls: u32;
  /** People in a timer's zone. */
  count: u32;
  /** The user, or what a timer belongs to. */
  subject: u64;
  /** The object or zone. */
  object: u64;
  /** Who held the object when the batch was made, 0 for nobody. */
  holder: u64;
  /** When it happened at the user's, microseconds of server time. */
  stamp: u64;
  /** Where, in lattice steps of 1/1024 m. */
  x: i32;
  /** Up. */
  y: i32;
  /** Over the floor, at right angles to x. */
  z: i32;
  /** From hand to object, lattice steps. */
  dist: u32;
  /** People in the zone, the object's state, the timer's id. */
  value: u64;
  /** The zone's door, the timer's due time. */
  aux: u64;
  /** A name, or a topic, a zero byte and a payload; offset from the start of the batch. */
  dataOffset: u32;
  dataLength: u32;
}

/** One line of a view. */
@unmanaged
export class Row {
  /** What it shows. */
  kind: u16;
  /** A locked door, a tracked part. */
  flags: u16;
  /** The object's kind, the body's part. */
  cls: u32;
  /** Of the object, user, door or zone. */
  id: u64;
  /** Who holds the object, 0 for nobody. */
  holder: u64;
  /** Where, in lattice steps of 1/1024 m. */
  x: i32;
  /** Up. */
  y: i32;
  /** Over the floor, at right angles to x. */
  z: i32;
  /** The object's state, permille that a door is open, people in a zone. */
  state: u32;
  /** A zone's door (0 for none), a pose's rotation. */
  aux: u64;
}

/** One thing that a plugin wants done; what the fields hold depends on the kind. */
@unmanaged
export class Command {
  /** What to do. */
  kind: u16;
  /** Of a timer, of a signal's target. */
  scope: u16;
  /** The number of the event that it answers, from 1; 0 for none. */
  event: u32;
  /** The user, or what a timer belongs to. */
  subject: u64;
  /** The object or door. */
  object: u64;
  /** A number that depends on the kind. */
  value: i64;
  /** Where, in lattice steps of 1/1024 m. */
  x: i32;
  /** Up. */
  y: i32;
  /** Over the floor, at right angles to x. */
  z: i32;
  /** Texts and payloads; offset from the start of the list. */
  dataOffset: u32;
  dataLength: u32;
  protected reserved52: u32;
  /** A timer's delay, microseconds. */
  aux: u64;
}

/** One line of a rule's settings in the venue's file; settings take the place of events in an init batch, sorted by name. */
@unmanaged
export class Setting {
  /** As in the venue's file; offset from the start of the batch. */
  nameOffset: u32;
  nameLength: u32;
  /** A setting type. */
  type: u32;
  protected reserved12: u32;
  /** The whole number, the number in 1/1024, 0 or 1 for true and false. */
  value: i64;
  /** The text; offset from the start of the batch. */
  textOffset: u32;
  textLength: u32;
}
