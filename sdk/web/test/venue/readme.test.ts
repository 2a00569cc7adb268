// The example of README.md, as it is written there: it must compile, and do what it says in a real venue.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { Refused, type Client } from '../../src/index.ts';
import { build, folder, serve, type Server } from '../support/server.ts';
import { until } from '../support/wait.ts';

const here = fileURLToPath(new URL('../../', import.meta.url));
// Inside the package, so that its name and its types are found as they are by any file of it.
const code = mkdtempSync(`${here}test/readme-`);
const dir = folder();
let server: Server;

beforeAll(async () => {
  const [example, page] = [...readFileSync(`${here}README.md`, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map((m) => m[1] ?? '');
  writeFileSync(`${code}/visit.ts`, example ?? '');
  writeFileSync(`${code}/page.ts`, page ?? '');
  writeFileSync(`${code}/tsconfig.json`, JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
  server = await serve(build('./cmd/venued', dir.path), `${dir.path}/data`);
});

afterAll(async () => {
  await server.stop();
  dir.remove();
  rmSync(code, { recursive: true, force: true });
});

test('it compiles', () => {
  execFileSync('npx', ['tsc', '--noEmit', '-p', code], { cwd: here, stdio: 'inherit' });
});

test('it joins, shows what is there and asks for it', async () => {
  const { visit, explain } = (await import(/* @vite-ignore */ `${code}/visit.ts`)) as {
    visit: (link: string, say: (line: string) => void) => Promise<Client>; explain: (e: unknown) => string;
  };
  // Node has no WebSocket that says where a page comes from.
  globalThis.WebSocket = NodeWebSocket as unknown as typeof globalThis.WebSocket;
  const lines: string[] = [];
  const client = await visit(`${server.url}/#token=${server.token}`, (line) => lines.push(line));
  const said = (start: string) => until(() => `"${start}" among: ${lines.join('; ')} (${JSON.stringify(client.stats())})`, () => lines.some((l) => l.startsWith(start)));
  await said('object "');
  await said('did not get');
  await client.leave();
  await until('the end', () => lines.includes('closed'));
  expect(explain(new Refused(4003))).toBe('An admin ended the session.');
  expect(explain(new Refused(3502))).toContain('Trying again');
});
