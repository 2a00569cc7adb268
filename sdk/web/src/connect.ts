import { VenueClient } from './client.ts';
import type { Client, ConnectOptions } from './types.ts';

/**
 * Joins a venue, or resumes `options.session`, and resolves once the venue has welcomed the client. Rejects with a
 * `Refused` when it cannot be: its message says what is wrong and what to do, its `retry` what a page may do by itself. The
 * client that comes back from a lost connection does so by itself; `status` events tell.
 */
export async function connect(options: ConnectOptions): Promise<Client> {
  const client = new VenueClient(options);
  await client.start();
  return client;
}
