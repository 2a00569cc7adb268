// Signalling: offers and answers over HTTP.

import { Code } from '../codes.gen.ts';
import type { Platform } from '../platform.ts';
import { Refused, reasonOf } from '../refused.ts';

/** What the server answered to an offer. */
export interface Answer {
  readonly sdp: string;
  /** Address of the connection: a secret. Null in the answer to a restart. */
  readonly location: string | null;
}

/** Sends an offer. Rejects with a Refused when the server says no, with another Error when it cannot be reached. */
export async function sendOffer(
  platform: Platform, method: 'POST' | 'PATCH', url: string, token: string, sdp: string, signal: AbortSignal,
): Promise<Answer> {
  let response: Response;
  try {
    response = await platform.fetch(url, {
      method, signal, body: sdp, cache: 'no-store', credentials: 'omit',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' },
    });
  } catch (e) {
    if (signal.aborted) throw signal.reason;
    throw new Error(`the server does not answer: ${reasonOf(e)}`);
  }
  const body = await response.text();
  if (!response.ok) throw refusalOf(response.status, body);
  const location = response.headers.get('Location');
  return { sdp: body, location: location === null ? null : new URL(location, url).href };
}

/** Reads the refusal of an HTTP answer; a body that is none of the server's becomes one that shows the status. */
export function refusalOf(status: number, body: string): Error {
  try {
    const { code, msg } = JSON.parse(body) as { code?: unknown; msg?: unknown };
    if (typeof code === 'number') return new Refused(code, typeof msg === 'string' ? msg : '', status);
  } catch {
    // Not the server's own answer: a proxy's page, or another server.
  }
  if (status === 502 || status === 503 || status === 504) {
    return new Refused(Code.Unavailable, `What stands before the server answers ${status}: the server is not there. Try again later.`, status);
  }
  return new Error(`the answer to the offer is ${status}, and not from a venued server: check the address`);
}
