// The server is gone: during play, and while somebody joins.
import { artifact, withBrowser } from './lib/chromium.mjs';
import { check, figure, until, want } from './lib/report.mjs';
import { kill, restart } from './lib/stage.mjs';
import { Visitor, enter, link, opened, wantNear } from './lib/visitor.mjs';

await withBrowser('gone', async (stage) => {
  for (const lane of ['webrtc', 'ws']) {
    await stage.part(async () => {
      const ann = await Visitor.join(stage, 'Ann', { lane, spawn: 'left' });
      const before = await ann.welcome();
      await check(`${lane}: a page whose server is killed says so, and keeps trying`, async () => {
        await kill();
        await until('the page to try again', async () => {
          const s = await ann.status();
          return s.state === 'reconnecting' && s.attempt >= 2;
        }, { found: () => ann.status() });
        const said = await until('the page to say so', async () => /again|reconnect|lost/i.test(await ann.said()) && ann.said());
        figure(`${lane}: what the page says meanwhile`, said);
        await ann.page.screenshot({ path: artifact(`server-gone-${lane}.png`) });
      });
      await check(`${lane}: it resumes when the server is back`, async () => {
        await restart();
        await ann.connected();
        const after = await ann.welcome();
        want(after.session === before.session && after.entity === before.entity && after.resumed, `the session ${before.session} resumed`, after);
        wantNear(after.place.p, before.place.p, 0.1, 'the place');
        await until('the page to say nothing of it any more', async () => !/reconnect|lost the connection/i.test(await ann.said()), { found: () => ann.said() });
      });
    });
  }

  await stage.part(() => check('a page that cannot reach the server to join says so, keeps trying, and joins when it is there', async () => {
    const page = await opened(stage, { href: link({ spawn: 'left' }) });
    await page.locator('.layer input').first().waitFor();
    await kill();
    await enter(page, 'Cem');
    const cem = new Visitor(page, 'Cem');
    const said = await until('the page to say that the server does not answer', async () => /again|reach|answer/i.test(await cem.said()) && cem.said());
    figure('what the page says while it cannot join', said);
    await page.screenshot({ path: artifact('unreachable.png') });
    await restart();
    await cem.connected();
  }));
});
