/**
 * The venued client for browsers.
 *
 * {@link connect} joins a venue and resolves once it has been welcomed. From then on the client sends the pose at the
 * rate and phase that the venue assigned, keeps the view, and comes back by itself after a lost connection. See README.md.
 *
 * @packageDocumentation
 */
export { connect } from './connect.ts';
export { curlsOf } from './extras.ts';
export { Refused } from './refused.ts';
export { Code } from './codes.gen.ts';
export { codeMeaning, codeName, codeThen, isClose, retryOf, type CodeEntry, type Retry } from './codes.ts';
export type { Platform } from './platform.ts';
export type {
  Body, Client, ClientEvents, ConnectOptions, Curls, Entity, EntityState, Extras, Gaze, Hand, Held, Joint, Kind, Lane, LaneChoice, Outcome,
  Quat, Root, Session, Stats, Status, Vec3, VenueEvent, Welcome,
} from './types.ts';
