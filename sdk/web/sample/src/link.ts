/**
 * The join link: where the token comes from, what can be read in it without the venue's key, and what its query chooses.
 */
import type { LaneChoice } from '../../src/index.ts';

/** What a join link says. */
export interface Invitation {
  readonly token: string;
  /** The name that the token gives, if it does. */
  readonly name?: string;
  /** The token leaves person and name to whoever has it: a development token. */
  readonly open: boolean;
  /** When it expires, seconds since 1970, if it says so. */
  readonly expires?: number;
}

/** The token in a link's fragment, `#token=...`; undefined if there is none. */
export function tokenIn(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('token')?.trim();
  return token === undefined || token === '' ? undefined : token;
}

/** The token in what somebody pasted: a whole link, a fragment, or the token itself. */
export function tokenInText(text: string): string | undefined {
  const trimmed = text.trim();
  const at = trimmed.indexOf('#');
  if (at >= 0) return tokenIn(trimmed.slice(at));
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(trimmed) ? trimmed : undefined;
}

/** Reads a token. Only the host can say whether it is good; what cannot be read is as good as not there. */
export function readToken(token: string): Invitation {
  let claims: Record<string, unknown> = {};
  try {
    const part = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const raw = Uint8Array.from(atob(part), (c) => c.charCodeAt(0));
    const parsed: unknown = JSON.parse(new TextDecoder().decode(raw));
    if (typeof parsed === 'object' && parsed !== null) claims = parsed as Record<string, unknown>;
  } catch {
    // Not a token; the host will say so.
  }
  const { name, many, exp } = claims;
  return {
    token,
    open: many === true,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(typeof exp === 'number' ? { expires: exp } : {}),
  };
}

const lanes: readonly LaneChoice[] = ['auto', 'webrtc', 'tcp', 'ws'];

/** What a link may choose: `?spawn=NAME`, a spawn point of the venue, and `?lane=`, for looking at one way in. */
export interface Choices {
  readonly spawn?: string;
  readonly lane?: LaneChoice;
}

/** Reads the choices in a link's query; what is not known is as good as not there. */
export function choices(search: string): Choices {
  const query = new URLSearchParams(search);
  const spawn = query.get('spawn') ?? '';
  const lane = lanes.find((l) => l === query.get('lane'));
  return { ...(spawn === '' ? {} : { spawn }), ...(lane === undefined ? {} : { lane }) };
}
