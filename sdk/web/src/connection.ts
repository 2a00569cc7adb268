// One connection from the first offer to its end: the link, and what lives exactly as long.

import { decodeDown, decodeWelcome, number, text, type Greeting } from './events.ts';
import { aborted, within, type Link, type Opener, type Reach, type Ticket } from './link/link.ts';
import { Refused } from './refused.ts';
import type { VenueEvent } from './types.ts';

/** What a connection calls while it lives. */
export interface ConnectionEvents {
  /** Anything came, of so many bytes. */
  heard(bytes: number): void;
  /** The welcome came. A Refused that it throws ends the connection. */
  greet(g: Greeting): void;
  pose(bytes: Uint8Array): void;
  event(m: VenueEvent): void;
  trouble(): void;
  /** It is over: not called for one that did not come up, or that this side closed. */
  dead(cause: Error): void;
}

/** See the top of the file. */
export class Connection {
  readonly link: Link;
  #closed = false;

  private constructor(link: Link) {
    this.link = link;
  }

  /** Connects and waits for the welcome. Rejects with a Refused when the venue says no. */
  static async open(opener: Opener, reach: Reach, ticket: Ticket, events: ConnectionEvents, signal: AbortSignal): Promise<Connection> {
    let greeted = false;
    let over: Error | null = null;
    let up: Connection | null = null; // once this has resolved
    let welcome!: () => void;
    let end!: (cause: Error) => void;
    const first = new Promise<void>((resolve, reject) => ([welcome, end] = [resolve, reject]));
    first.catch(() => undefined);
    // What a `close` message says comes before the transport's own end, and says more.
    const finish = (cause: Error) => {
      if (over || (up && up.#closed)) return;
      over = cause;
      end(cause);
      if (!up) return;
      up.close();
      events.dead(cause);
    };
    const link = await opener.open(reach, ticket, {
      pose: (bytes) => {
        events.heard(bytes.length);
        if (greeted && !over) events.pose(bytes); // ahead of the welcome, ticks have no time; what is not acknowledged comes again
      },
      event: (message) => {
        events.heard(message.length);
        const m = decodeDown(message);
        if (!m || over) return;
        if (m.t === 'close') {
          finish(new Refused(number(m, 'code'), text(m, 'msg')));
        } else if (m.t !== 'welcome') {
          if (greeted) events.event(m);
        } else if (!greeted) {
          try {
            events.greet(decodeWelcome(m));
            greeted = true;
            welcome();
          } catch (e) {
            finish(e instanceof Error ? e : new Error(String(e)));
          }
        }
      },
      trouble: () => {
        if (greeted && !over) events.trouble();
      },
      dead: finish,
    }, signal);
    const connection = new Connection(link);
    try {
      await within(reach.platform, reach.setupMS, signal, async (s) => {
        const gone = aborted(s);
        try {
          await Promise.race([first, gone.promise]);
        } finally {
          gone.stop();
        }
      });
      if (over) throw over as Error;
      up = connection;
      return connection;
    } catch (e) {
      connection.close();
      throw e;
    }
  }

  /** Ends it without a word. */
  close(): void {
    this.#closed = true;
    this.link.close();
  }
}
