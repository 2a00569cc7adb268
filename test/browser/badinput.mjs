// Browsers that lack something, links and servers that do not fit, names with HTML in them.
import { artifact, withBrowser } from './lib/chromium.mjs';
import { withHeadset } from './lib/headset.mjs';
import { check, until, want } from './lib/report.mjs';
import { token, where } from './lib/stage.mjs';
import { Visitor, enter, link, opened } from './lib/visitor.mjs';

const text = (page) => page.evaluate(() => document.body.innerText);

/** Waits until the page shows text that every pattern fits, and keeps a picture of it. */
async function says(page, shot, ...patterns) {
  await until(`the page to say ${patterns.join(' and ')}`, async () => {
    const said = await text(page);
    return patterns.every((p) => p.test(said));
  }, { found: () => text(page) });
  await page.screenshot({ path: artifact(`${shot}.png`) });
}

await withBrowser('badinput', async ({ page: open, part }) => {
  const stage = { page: open };

  await part(() => check('a browser without WebRTC joins over WebSocket, and is told so', async () => {
    const old = await Visitor.join(stage, 'Old', { spawn: 'left', before: [() => {
      delete window.RTCPeerConnection;
      delete window.webkitRTCPeerConnection;
    }] });
    want((await old.status()).lane === 'ws', 'the WebSocket lane', await old.status());
    await says(old.page, 'no-webrtc', /WebSocket/);
  }));

  await part(() => check('a browser without WebXR joins, and is offered no headset', async () => {
    const flat = await Visitor.join(stage, 'Flat', { spawn: 'left', before: [() => {
      delete Navigator.prototype.xr;
    }] });
    want(await flat.page.evaluate(() => !('xr' in navigator)), 'no WebXR');
    const buttons = await flat.page.locator('button:visible').allInnerTexts();
    want(!buttons.some((b) => /VR/.test(b)), 'no button for a headset', buttons);
  }));

  await part(() => check('a headset that does not start leaves the visitor where they are, and says so', async () => {
    const eve = await Visitor.join(stage, 'Eve', { spawn: 'left', before: [...withHeadset, () => {
      navigator.xr.requestSession = () => Promise.reject(new DOMException('the cameras are covered', 'InvalidStateError'));
    }] });
    await eve.page.locator('button[name=enter-vr]').click();
    await says(eve.page, 'headset-fails', /headset/i);
    want((await eve.status()).state === 'connected', 'to be connected', await eve.status());
  }));

  await part(() => check('a browser that cannot draw is told what to do', async () => {
    const page = await opened(stage, { href: link(), before: [() => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return /webgl/.test(kind) ? null : get.call(this, kind, ...more);
      };
    }] });
    await says(page, 'no-webgl', /WebGL/, /acceleration/);
  }));

  await part(() => check('an expired link says so, and a new one can be pasted', async () => {
    const page = await opened(stage, { href: link({ token: await token('old', 'Old', true) }) });
    await enter(page, 'Old').catch(() => undefined); // the page may know before it asks for the name
    await says(page, 'expired', /expired/i, /new link/i);
    await page.locator('.layer input').fill(link({ token: await token('fay', 'Fay') }));
    await page.locator('.layer button[type=submit]').click();
    const fay = new Visitor(page, 'Fay');
    await until('Fay to be asked or in', async () => (await fay.status())?.state === 'connected' || /Welcome/i.test(await fay.said()));
    if ((await fay.status())?.state !== 'connected') await page.locator('.layer button[type=submit]').click();
    await fay.connected();
    want((await fay.welcome()).name === 'Fay', 'the name of the new link', await fay.welcome());
  }));

  await part(() => check('an address without a token, and one with a broken one, say what is missing', async () => {
    const none = await opened(stage, { href: `${where.url}/` });
    await says(none, 'no-link', /join link/i, /paste/i);
    const broken = await opened(stage, { href: link({ token: `${where.token.slice(0, -6)}AAAAAA` }) });
    await enter(broken, 'Bo');
    await says(broken, 'broken-link', /does not work/i, /new link/i);
  }));

  await part(() => check('a server of another version: the page says which side is older', async () => {
    for (const [v, older, shot] of [[2, /page|client|this side/i, 'page-older'], [0, /server|venue/i, 'server-older']]) {
      const page = await open();
      await page.routeWebSocket(/\/v1\/ws/, (ws) => {
        const server = ws.connectToServer();
        server.onMessage((m) => ws.send(typeof m === 'string' && m.includes('"t":"welcome"') ? m.replace(/"v":\d+/, `"v":${v}`) : m));
      });
      await page.goto(link({ lane: 'ws' }));
      await enter(page, 'Vic');
      await says(page, shot, /version/i, /older/i, older);
    }
  }));

  await part(() => check('HTML in names and labels is text', async () => {
    const evil = '<img src=x onerror=injected=1>';
    const [mal, gil] = await Promise.all([
      Visitor.join(stage, evil, { spawn: 'left', viewport: { width: 960, height: 600 } }),
      Visitor.join(stage, 'Gil', { spawn: 'right', viewport: { width: 960, height: 600 } }),
    ]);
    const { head } = await gil.sights(evil, 'the name as it was written', (e) => e.kind === 'avatar');
    await gil.page.evaluate((p) => __venued.lookAt(p), head);
    await mal.sights('Gil', 'Gil', (e) => e.kind === 'avatar');
    for (const v of [mal, gil]) {
      await v.page.keyboard.press('KeyH');
      const found = await v.page.evaluate(() => ({ injected: window.injected, images: document.images.length, bold: document.querySelectorAll('b').length }));
      want(found.injected === undefined && found.images === 0 && found.bold === 0, 'nothing of the names to be markup', found);
      want((await v.said()).includes('<b>tests</b>'), 'the venue’s name as text', await v.said());
    }
    await gil.page.screenshot({ path: artifact('html-name.png') });
  }));
});
