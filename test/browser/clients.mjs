// The page that docs/clients.md makes, on an origin of its own.
import { artifact, withBrowser } from './lib/chromium.mjs';
import { check, until, want } from './lib/report.mjs';
import { where } from './lib/stage.mjs';
import { Visitor, apart } from './lib/visitor.mjs';

const home = process.env.VENUED_PAGES;

await withBrowser('clients', async (stage) => {
  await stage.part(() => check('the page of the documentation comes in, and walks where one clicks', async () => {
    const watcher = await Visitor.join(stage, 'Watcher', { spawn: 'entrance' });
    const above = await stage.page({ viewport: { width: 900, height: 700 } });
    await above.goto(`${home}/?venue=${where.url}#token=${where.token}`);
    const line = above.locator('p');
    await until('it to be in', async () => (await line.innerText()) === 'You are in.', { found: () => line.innerText() });
    const { head } = await watcher.sights('From above', 'the other page’s visitor', (e) => e.kind === 'avatar');
    await above.locator('canvas').click({ position: { x: 14 * 20, y: 22 * 20 } });
    await watcher.sights('From above', 'it walk', (e) => apart(e.head, head) > 0.7);
    await above.screenshot({ path: artifact('clients.png') });
    await watcher.leave();
  }));

  await stage.part(() => check('it says why it cannot come in', async () => {
    const above = await stage.page();
    await above.goto(`${home}/?venue=${where.url}#token=none`);
    const line = above.locator('p');
    await until('it to say something', async () => !/Coming in/.test(await line.innerText()));
    want(/token/i.test(await line.innerText()), 'a word on the token', await line.innerText());
  }));
});
