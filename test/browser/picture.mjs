// The example hall full of walking visitors: how fast it is drawn, and pictures of it for the documentation.
import { artifact, withBrowser } from './lib/chromium.mjs';
import { check, figure, until, want } from './lib/report.mjs';
import { bots, where } from './lib/stage.mjs';
import { Visitor } from './lib/visitor.mjs';

const CROWD = 50;
const FRAMES = 40;
const viewport = { width: 1280, height: 720 };

await withBrowser('picture', async (stage) => {
  await bots(CROWD);
  await stage.part(() => check(`a page shows ${CROWD} walking visitors`, async () => {
    const ada = await Visitor.join(stage, 'Ada', { spawn: 'entrance', viewport });
    await until(`${CROWD} visitors to be drawn`, () => ada.page.evaluate((n) => __venued.scene().avatars >= n, CROWD), {
      found: () => ada.page.evaluate(() => __venued.scene()),
    });
    await ada.page.evaluate(() => __venued.measure());
    const scene = await until(`${FRAMES} frames`, () => ada.page.evaluate((n) => {
      const s = __venued.scene();
      return s.frames >= n && s;
    }, FRAMES), { ms: 90_000, found: () => ada.page.evaluate(() => __venued.scene()) });
    want(scene.avatars >= CROWD - 1, `${CROWD} visitors drawn`, scene);
    figure(`frames with ${CROWD} visitors, ${viewport.width} x ${viewport.height}, drawn by the processor`, scene);
    figure(`connection with ${CROWD} visitors`, await ada.stats());
    await ada.page.keyboard.press('KeyH');
    await until('the panel of figures to have figures', async () => /Round trip\s+[\d.]+ ms/.test(await ada.said()), { found: () => ada.said() });
    await ada.page.screenshot({ path: artifact('hall-figures.png') });
  }));

  await stage.part(() => check('the hall as a graphics card would draw it', async () => {
    // With shadows and smooth edges, and as sharp as the page ever draws on a slow machine: a pixel for a pixel. The
    // window is small until all is there.
    const ada = await Visitor.join(stage, 'Ada', { spawn: 'entrance', lane: 'webrtc', viewport: { width: 240, height: 120 }, deviceScaleFactor: 0.7, before: [() => {
      const get = WebGL2RenderingContext.prototype.getExtension;
      WebGL2RenderingContext.prototype.getExtension = function (name) {
        return name === 'WEBGL_debug_renderer_info' ? null : get.call(this, name);
      };
    }] });
    await until(`${CROWD} visitors to be drawn`, () => ada.page.evaluate((n) => __venued.scene().avatars >= n, CROWD), { ms: 90_000 });
    await ada.page.setViewportSize({ width: 1600, height: 800 });
    await ada.page.evaluate(() => {
      __venued.lookAt([14, 0.95, 15]);
      __venued.measure();
    });
    await until('frames of that', () => ada.page.evaluate(() => __venued.scene().frames >= 3), { ms: 60_000 });
    await ada.page.screenshot({ path: artifact('hall.png') });
  }));

  for (const colorScheme of ['light', 'dark']) {
    await stage.part(() => check(`the console shows them on its map, ${colorScheme}`, async () => {
      const admin = await stage.page({ viewport, colorScheme });
      await admin.goto(`${where.url}/admin`);
      await admin.locator('input[name=token]').fill(where.admin);
      await admin.locator('button[type=submit]').click();
      await until('the console to count them', async () => Number(/(\d+) of \d+ visitors/.exec(await admin.locator('.status').innerText())?.[1]) >= CROWD);
      await admin.screenshot({ path: artifact(`console-${colorScheme}.png`) });
    }));
  }
});
