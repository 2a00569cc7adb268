// The WebSocket lane: binary messages are the pose lane, text messages the event lane.

import { Code } from '../codes.gen.ts';
import { Refused } from '../refused.ts';
import { aborted, type Link, type LinkEvents, type Reach, type Ticket } from './link.ts';

// On one ordered stream an old sample only delays a new one: a few may wait, no more. Bytes.
const MAX_POSE_BACKLOG = 1024;
const MAX_EVENT_BACKLOG = 256 * 1024;
const FIRST_PRIVATE_CODE = 3000;
const FLUSH_STEP_MS = 10;

/** Opens the WebSocket. */
export async function openWebSocket(reach: Reach, ticket: Ticket, events: LinkEvents, signal: AbortSignal): Promise<Link> {
  const { platform } = reach;
  const Socket = platform.WebSocket;
  if (!Socket) throw Refused.local('unsupported', 'This browser has no WebSocket.');
  // A page cannot set a header here, so the protocol has the token in the query.
  const query = new URLSearchParams(ticket.query);
  query.set('token', ticket.token);
  const socket = new Socket(`${reach.url.replace(/^http/, 'ws')}/v1/ws?${query}`);
  socket.binaryType = 'arraybuffer';
  let dead = false;
  let opened = false;
  const gone = aborted(signal);
  const opening = new Promise<void>((resolve, reject) => {
    socket.onopen = () => {
      opened = true;
      resolve();
    };
    socket.onerror = () => undefined; // a close event follows and says more
    socket.onmessage = (m: MessageEvent<unknown>) => {
      if (dead) return;
      if (typeof m.data === 'string') events.event(m.data);
      else if (m.data instanceof ArrayBuffer) events.pose(new Uint8Array(m.data));
    };
    socket.onclose = (c: CloseEvent) => {
      const cause = c.code >= FIRST_PRIVATE_CODE
        ? new Refused(c.code, c.reason)
        : new Error(opened ? `the WebSocket was closed (${c.code})` : 'the WebSocket could not be opened');
      if (!opened) reject(cause);
      else if (!dead) {
        dead = true;
        events.dead(cause);
      }
    };
  });
  opening.catch(() => undefined);
  try {
    await Promise.race([opening, gone.promise]);
  } catch (e) {
    dead = true;
    socket.close();
    throw e;
  } finally {
    gone.stop();
  }
  return {
    lane: 'ws',
    repair: null,
    sendPose(bytes) {
      if (dead || socket.readyState !== Socket.OPEN || socket.bufferedAmount > MAX_POSE_BACKLOG) return false;
      socket.send(bytes);
      return true;
    },
    sendEvent(text) {
      if (dead || socket.readyState !== Socket.OPEN) return false;
      if (socket.bufferedAmount > MAX_EVENT_BACKLOG) {
        dead = true;
        socket.close();
        events.dead(new Refused(Code.ConnectionLost, 'The connection is 256 KiB behind and was given up.'));
        return false;
      }
      socket.send(text);
      return true;
    },
    async flush() {
      while (!dead && socket.readyState === Socket.OPEN && socket.bufferedAmount > 0) {
        await new Promise<void>((resolve) => platform.setTimer(resolve, FLUSH_STEP_MS));
      }
    },
    remove: () => Promise.resolve(),
    close() {
      dead = true;
      socket.close();
    },
  };
}
