// A real `venued serve`, for tests: one built binary, free ports, a data folder of its own.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the Go module. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Builds a Go command into a folder that the caller removes; $VENUED_BIN stands for the server when it is set. */
export function build(pkg: string, dir: string): string {
  const given = process.env['VENUED_BIN'];
  if (given && pkg === './cmd/venued') return given;
  const path = join(dir, pkg.split('/').pop() ?? 'program');
  execFileSync('go', ['build', '-o', path, pkg], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return path;
}

/** A temporary folder. */
export function folder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'venued-web-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A running server. */
export interface Server {
  readonly url: string;
  readonly token: string;
  /** Ends the process and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts `venued serve` and resolves once it is ready. */
export async function serve(binary: string, data: string, listen = '127.0.0.1:0'): Promise<Server> {
  const child = spawn(binary, ['serve', '--listen', listen, '--metrics', '127.0.0.1:0', '--data', data], {
    cwd: root, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const output = await ready(child, ended);
  const field = (key: string) => new RegExp(`^${key} +(\\S+)`, 'm').exec(output)?.[1] ?? '';
  return {
    url: field('serving'),
    token: new URLSearchParams(new URL(field('join')).hash.slice(1)).get('token') ?? '',
    stop: (signal = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}

function ready(child: ChildProcess, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let log = '';
    child.stdout?.on('data', (b: Buffer) => {
      out += b.toString();
      if (/^ready\b/m.test(out)) resolve(out);
    });
    child.stderr?.on('data', (b: Buffer) => (log += b.toString()));
    void ended.then(() => reject(new Error(`venued serve ended before it was ready:\n${out}${log}`)));
  });
}

/** Starts bots that walk about; the result ends them. */
export function bots(binary: string, server: Server, count: number): () => Promise<void> {
  const child = spawn(binary, ['bots', '--url', server.url, '--token', server.token, '--users', String(count), '--duration', '5m', '--lane', 'ws', '--drop-every', '0'], { cwd: root, stdio: 'ignore' });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  return () => {
    child.kill('SIGTERM');
    return ended;
  };
}
