import { platformOf, type Platform } from './platform.ts';
import { Refused } from './refused.ts';
import type { ConnectOptions } from './types.ts';

/** Options with their defaults, checked. */
export type Resolved = Omit<ConnectOptions, 'platform'> & {
  readonly url: string;
  readonly lane: NonNullable<ConnectOptions['lane']>;
  readonly setupTimeoutMS: number;
  readonly predictOwnHead: number;
  readonly platform: Platform;
};

const SETUP_MS = 10_000;

/** Fills in defaults. Throws a Refused for what cannot work. */
export function resolve(options: ConnectOptions): Resolved {
  let base: URL;
  try {
    base = new URL(options.url);
  } catch {
    throw Refused.local('unsupported', `url is ${JSON.stringify(options.url)}: give the server's address, such as "https://venue.example.org"`);
  }
  // A join link has its token behind the #, so that it never travels to a server by itself.
  const token = options.token ?? new URLSearchParams(base.hash.slice(1)).get('token') ?? undefined;
  if (!token && !options.session?.token && !options.newToken) {
    throw Refused.local('unsupported', 'There is no token: open the venue by its join link, which ends in #token=…');
  }
  if (base.protocol !== 'http:' && base.protocol !== 'https:') {
    throw Refused.local('unsupported', `url begins with ${base.protocol}: a venue's address begins with https: or http:`);
  }
  return {
    ...options,
    ...(token === undefined ? {} : { token }),
    url: `${base.origin}${base.pathname}`.replace(/\/+$/, ''),
    lane: options.lane ?? 'auto',
    setupTimeoutMS: options.setupTimeoutMS ?? SETUP_MS,
    predictOwnHead: options.predictOwnHead ?? 0,
    platform: platformOf(options.platform),
  };
}
