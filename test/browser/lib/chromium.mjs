// Headless Chromium, and what a page of it leaves behind.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { Told } from './report.mjs';

const args = [
  '--no-first-run', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  // No page is in the background: all of them draw.
  '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows', '--disable-background-timer-throttling',
];

/** Where screenshots and other things to look at are kept. */
export const artifact = (name) => join(process.env.VENUED_ARTIFACTS ?? '.', name);

/**
 * Plays a script with a browser of its own, and closes that whatever happens. `play(stage)` gets `page(options)`, which opens
 * a page in a context of its own, and `part(play)`, which closes its pages at its end and goes on when it has failed and that
 * was reported. A page's uncaught errors, and what its content security policy stopped, fail the script.
 */
export async function withBrowser(name, play) {
  const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  const browser = await chromium.launch({ executablePath, args, chromiumSandbox: false });
  process.once('SIGTERM', () => void browser.close().finally(() => process.exit(1)));
  const pages = [];
  const page = async ({ before = [], viewport = { width: 480, height: 300 }, ...options } = {}) => {
    const context = await browser.newContext({ viewport, ...options });
    const p = await context.newPage();
    p.faults = [];
    p.on('pageerror', (e) => p.faults.push(`uncaught: ${e.stack ?? e.message}`));
    p.on('console', (m) => {
      if (/Content Security Policy/.test(m.text())) p.faults.push(m.text());
    });
    for (const script of before) await p.addInitScript(script);
    pages.push(p);
    return p;
  };
  let failed = false;
  const part = async (of) => {
    const first = pages.length;
    try {
      await of();
    } catch (e) {
      failed = true;
      if (!(e instanceof Told)) throw e;
      for (const [i, p] of pages.entries()) {
        if (!p.isClosed()) await p.screenshot({ path: artifact(`failed-${name}-${i}.png`) }).catch(() => undefined);
      }
    }
    for (const p of pages.splice(first)) {
      if (p.faults.length > 0) {
        failed = true;
        process.stdout.write(`${JSON.stringify({ check: `${p.url().replace(/#.*/, '')} has no faults in its scripts`, ok: false, why: p.faults.join('; ') })}\n`);
      }
      await p.context().close();
    }
  };
  try {
    await part(() => play({ page, part, browser }));
  } finally {
    await browser.close();
  }
  process.exitCode = failed ? 1 : 0;
}
