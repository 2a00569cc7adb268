import type { Client, ConnectOptions } from './types.ts';

/** Joins a venue. */
export function connect(options: ConnectOptions): Promise<Client> {
  return Promise.reject(new Error(`the lanes of ${options.url} are missing`));
}
