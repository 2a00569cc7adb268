// Public types. Units and frames, everywhere: positions in metres in venue coordinates (right-handed, y up),
// rotations as unit quaternions x, y, z, w, times in microseconds on the server's timeline unless a name says MS.

import type { Refused } from './refused.ts';

/** A point or a difference: x, y, z in metres, venue coordinates, y up. */
export type Vec3 = readonly [x: number, y: number, z: number];

/** A rotation: a unit quaternion x, y, z, w, as WebXR has it. */
export type Quat = readonly [x: number, y: number, z: number, w: number];

/** The place of a head, a hand or an object. */
export interface Joint {
  /** Position, metres, venue coordinates. */
  readonly p: Vec3;
  /** Rotation, unit quaternion. */
  readonly q: Quat;
}

/** What a sample shows of a person. Objects and doors have only `head`; their hands are at the same place. */
export interface Body {
  readonly head: Joint;
  readonly left: Joint;
  readonly right: Joint;
}

/** Where the eyes look, relative to the head, radians: first `yaw` about the head's y, to the left, then `pitch`, upward. Both 0: straight ahead. */
export interface Gaze {
  readonly yaw: number;
  readonly pitch: number;
}

/** How far the fingers of a hand are bent, thumb to little finger: 0 straight, 1 all the way. */
export type Curls = readonly [thumb: number, index: number, middle: number, ring: number, little: number];

/** Where a body stands. */
export interface Root {
  /** Its place less the head's, along the venue's axes, metres; at most 4 m each. */
  readonly offset: Vec3;
  /** Where its front points, radians about y, to the left; 0 is -z. */
  readonly yaw: number;
}

/** The optional streams of a person. What is left out or null is not there. */
export interface Extras {
  readonly gaze?: Gaze | null;
  /** Of the hands whose fingers are tracked. */
  readonly fingers?: { readonly left?: Curls | null; readonly right?: Curls | null } | null;
  readonly root?: Root | null;
}

/** A hand, as the event lane names it. */
export type Hand = 'left' | 'right';

/** How to connect: `auto` is WebRTC and, where that does not come up, WebSocket; `tcp` is WebRTC over ICE-TCP only. */
export type LaneChoice = 'auto' | 'webrtc' | 'tcp' | 'ws';

/** What a connection runs over. */
export type Lane = 'webrtc' | 'tcp' | 'ws';

/** A kind of object in the venue, from the welcome. `Entity.class` of an object is an index of the list. */
export interface Kind {
  readonly name: string;
  readonly grabbable: boolean;
  readonly usable: boolean;
  readonly shape: 'box' | 'sphere' | 'cylinder' | (string & {});
  /** One length or three, metres. */
  readonly size: readonly number[];
  /** `#rrggbb`. */
  readonly color: string;
}

/** What the venue said when it let the client in. */
export interface Welcome {
  /** Venue id. */
  readonly venue: string;
  /** Session id, a decimal string. */
  readonly session: string;
  /** Id of the client's own avatar, a decimal string: `by` in events and `holder` of objects. */
  readonly entity: string;
  /** Who the token says it is. */
  readonly user: string;
  readonly name: string;
  /** Region that the client stands in. */
  readonly region: string;
  /** Server time at sending, microseconds. */
  readonly timeUS: number;
  /** Newest tick, length of a tick, and server time of tick 0 (microseconds). */
  readonly tick: number;
  readonly tickUS: number;
  readonly t0US: number;
  /** Samples are taken at `k / uploadHz + phaseUS`. */
  readonly phaseUS: number;
  readonly uploadHz: number;
  /** Frames come at most this often. */
  readonly sendHz: number;
  /** How long the session waits for a lost client, milliseconds. */
  readonly graceMS: number;
  /** The session existed before. */
  readonly resumed: boolean;
  /** Events were missed that cannot be told any more: read all state anew. */
  readonly full: boolean;
  /** The head's place given by the venue: move the tracking origin so that the head stands there. */
  readonly place: Joint;
  /** Kinds of objects, by class. */
  readonly kinds: readonly Kind[];
}

/** State of an entity that is not its place. */
export interface EntityState {
  /** Id of the avatar that holds the object, `'0'` for none, as the venue says it. */
  readonly holder: string;
  /** The hand that holds it. */
  readonly hand: Hand;
  /** An object's state word; a door's opening in permille. */
  readonly value: number;
  /** The avatar's connection is lost. */
  readonly away: boolean;
  /** The door is locked. */
  readonly locked: boolean;
  /** The avatar's person speaks. */
  readonly speaking: boolean;
  /** It was moved at once in the newest state: it was not interpolated. */
  readonly teleported: boolean;
  /** Server time of the tick that the newest state is of, microseconds. */
  readonly tickUS: number;
}

/** Who holds an object, and in which hand. `predicted` while the venue has not confirmed it. */
export interface Held {
  /** Entity id of the holder. */
  readonly by: string;
  readonly hand: Hand;
  readonly predicted: boolean;
}

/** Something to show: a visitor's avatar, an object or a door. Lives from `enter` to `leave`. */
export interface Entity {
  /** Unique in the venue for ever, a decimal string. */
  readonly id: string;
  readonly kind: 'avatar' | 'object' | 'door';
  /** For objects the index in `welcome.kinds`, for doors in the venue's doors. */
  readonly class: number;
  /** Given by whoever it belongs to: show it as text, never as markup. */
  readonly name: string;
  /** The newest state. */
  readonly state: EntityState;
  /** Who holds the object as this client should show it: its own grabs are predicted. */
  readonly held: Held | null;
  /** The avatar's optional streams, as they were told last; only those who are near have any. */
  readonly extras: Extras;
  /**
   * Where to show it at a server time (microseconds; the playout time when left out), between the samples received:
   * positions linearly, rotations by slerp, past the newest sample extrapolated for at most 100 ms. An object in the
   * client's own hand follows that hand at once.
   */
  sample(timeUS?: number): Body;
}

/** How the venue decided a key input (grab, release, use, message). */
export interface Outcome {
  /** Granted, or taken. */
  readonly ok: boolean;
  /**
   * Why not: a code of docs/protocol.md, its name, and words for people. The code is 0 when there was no decision: `left`,
   * `session_lost`, `busy` (64 wait already), `outcome_unknown` (it was decided while the connection was away).
   */
  readonly code?: number;
  readonly name?: string;
  readonly message?: string;
  /** Tick of the decision; absent when it is not known. */
  readonly tick?: number;
  /**
   * Resolves when what the input did is in the venue's store. Rejects with an Error that says why when that cannot be
   * known any more, or a crash of the server undid it. Nobody has to wait for it.
   */
  readonly durable: Promise<void>;
}

/** What happened to the connection. */
export interface Status {
  readonly state: 'connecting' | 'connected' | 'lost' | 'reconnecting' | 'closed';
  /** What it runs over; null while there is no connection. */
  readonly lane: Lane | null;
  /** Number of the attempt to come back; 0 outside of `reconnecting`. */
  readonly attempt: number;
  /** Time to the next attempt, milliseconds; 0 when it runs. */
  readonly nextTryMS: number;
  /** Why, in words for people; '' when all is well. */
  readonly reason: string;
  /** `connected`: the session went on, and whether events were missed (read the entities' states anew). */
  readonly resumed: boolean;
  readonly full: boolean;
  /** `closed`: the refusal that ended it, null when the client left by itself. */
  readonly refused: Refused | null;
}

/** A key event: the message of docs/protocol.md, section 5, decoded. Other fields depend on `t`. */
export interface VenueEvent {
  /** Type, such as `grabbed`, `door`, `rule`, `joined`. */
  readonly t: string;
  /** Region and number in it; absent for `error` and `resync`, which are this connection's. */
  readonly r?: string;
  readonly n?: number;
  /** Server time and tick. */
  readonly ts?: number;
  readonly tick?: number;
  /** The own key input that it answers. */
  readonly seq?: number;
  readonly [field: string]: unknown;
}

/** What a client tells its listeners, by type. */
export interface ClientEvents {
  /** An entity came into view. */
  enter: Entity;
  /** An entity left the view. */
  leave: Entity;
  /** A key event, once and in order a region; also `error` and `resync`. */
  event: VenueEvent;
  /** The connection changed. */
  status: Status;
}

/** Figures of the connection, for a panel. */
export interface Stats {
  /** Shortest recent round trip, milliseconds; null before the first. */
  readonly rttMS: number | null;
  /** Server time minus the local clock, microseconds. */
  readonly offsetUS: number;
  /** Samples sent and frames received in the last second or so, per second. */
  readonly sendHz: number;
  readonly receivedHz: number;
  /** Frames that never came, of those sent in the last five seconds: 0 to 1. */
  readonly lostRatio: number;
  /** How long ago what is shown of other visitors was so, on average: from their sample to the screen, milliseconds. */
  readonly poseAgeMS: number;
  /** Delay between server time and playout time, milliseconds. */
  readonly playoutMS: number;
  /** Entities in view. */
  readonly visible: number;
  readonly lane: Lane | null;
  /** Bytes on both lanes since the client was made. */
  readonly bytesUp: number;
  readonly bytesDown: number;
  /** The server sends at a reduced rate now. */
  readonly throttled: boolean;
}

/** What another client needs to resume this session, such as a page that is loaded again. It is a secret. */
export interface Session {
  /** Newest resume token. */
  readonly token: string;
  /** Newest event number received of each region. */
  readonly last: Readonly<Record<string, number>>;
  /** Number of the next key input. */
  readonly next: number;
}

/** Options of {@link connect}. */
export interface ConnectOptions {
  /** Base URL of the server, such as `https://venue.example.org`; a page uses `location.origin`. */
  url: string;
  /** Join token. Not needed when `session` is given. */
  token?: string;
  /** With a development token: who to be. */
  user?: string;
  name?: string;
  /** Spawn point to ask for. */
  spawn?: string;
  /** Default `auto`. */
  lane?: LaneChoice;
  /** A session to resume instead of joining. */
  session?: Session;
  /** Gets a join token when the session is gone and joining anew needs one. */
  newToken?: () => Promise<string>;
  /** Gives the body for a sample at a server time (microseconds), in place of `setPose`; also told what the venue said. */
  pose?: (timeUS: number, welcome: Welcome) => Body;
  /** Called with each change of the connection, also before `connect` has resolved. */
  onStatus?: (status: Status) => void;
  /** STUN and TURN servers for the first connection; the venue names those of later ones. */
  iceServers?: readonly RTCIceServer[];
  /** Most time that one attempt to connect may take, milliseconds. Default 10,000. */
  setupTimeoutMS?: number;
  /** Show the own head as it will be this much later, milliseconds, when `headPrediction` is asked without a time. Default 0. */
  predictOwnHead?: number;
  /** Gives up the session by itself when the page goes away (`pagehide`). Default true. */
  leaveOnPageHide?: boolean;
  /** What of the platform to use; tests and Node give their own. */
  platform?: Partial<import('./platform.ts').Platform>;
}

/** One person's presence in a venue, made by {@link connect}. */
export interface Client {
  /** What the venue said at the newest welcome. */
  readonly welcome: Welcome;
  /** What is in view, by entity id. The own avatar is never among them. */
  readonly entities: ReadonlyMap<string, Entity>;
  /** The state of the connection now. */
  readonly status: Status;
  /** Server time now, microseconds. Never runs back. */
  serverTimeUS(): number;
  /** Server time that entities are shown at now, microseconds. Never runs back. */
  playoutTimeUS(): number;
  /** Sets the body that samples show from now on. */
  setPose(body: Body): void;
  /**
   * Sets the optional streams that samples tell of from now on, each at its own rate: 15 gazes, 10 fingers, 5 roots a second. What is
   * left out has ended. Throws a RangeError for what is no number.
   */
  setExtras(extras: Extras): void;
  /** Says whether the person speaks: others see it in `Entity.state`. Holds until it is called again; at most four changes a second are shown. */
  setSpeaking(on: boolean): void;
  /** Asks for an object with a hand that is at `joint` now: reach is judged by it. Shown as held until the venue says no. */
  grab(id: string, hand: Hand, joint: Joint): Promise<Outcome>;
  /** Lets go of a held object. */
  release(id: string, hand: Hand, joint: Joint): Promise<Outcome>;
  /** Presses an object's button, whatever its rule makes of it. */
  use(id: string, hand: Hand, joint: Joint): Promise<Outcome>;
  /** Sends a message to the venue's rules: a topic of 1-64 bytes, data as JSON of at most 1,024 bytes. */
  message(topic: string, data?: unknown): Promise<Outcome>;
  /** Id of the avatar that holds the object as this client should show it; `'0'` for none. */
  predictedHolder(id: string): string;
  /**
   * The head of an avatar turned as it will be `aheadMS` later, from its last five rotation samples; of the own head
   * (from `setPose` or the pose callback) when `id` is left out. For rendering only. Null before there is a sample.
   */
  headPrediction(id?: string, aheadMS?: number): Joint | null;
  /** Calls `fn` for each event of a type; the result ends that. */
  on<T extends keyof ClientEvents>(type: T, fn: (event: ClientEvents[T]) => void): () => void;
  stats(): Stats;
  /** What another client needs to resume this session, once this one has lost it. */
  session(): Session;
  /** Says goodbye and ends the connection; at most about two seconds. Twice is fine. */
  leave(): Promise<void>;
}
