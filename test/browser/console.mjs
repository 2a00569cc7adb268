// The operator's console, driven as an operator does.
import { fileURLToPath } from 'node:url';
import { createServer } from 'node:http';
import { artifact, withBrowser } from './lib/chromium.mjs';
import { check, until, want } from './lib/report.mjs';
import { bots, where } from './lib/stage.mjs';
import { Visitor, apart } from './lib/visitor.mjs';

const EVIL = '<img src=x onerror=injected=1>';
const viewport = { width: 1100, height: 720 };

/** Logs in with a token and presses the button. */
async function login(page, token) {
  await page.locator('input[name=token]').fill(token);
  await page.locator('button[type=submit]').click();
}

/** Asks the console's API from within the page. */
const api = (page, path) => page.evaluate(async (p) => {
  const answer = await fetch(`/admin/api${p}`);
  return { status: answer.status, body: answer.headers.get('Content-Type')?.includes('json') ? await answer.json() : await answer.text() };
}, path);

/** The newest places of everything, from the live stream. */
const things = (page) => page.evaluate(() => new Promise((resolve, reject) => {
  const live = new EventSource('/admin/api/live');
  live.addEventListener('map', (e) => {
    live.close();
    resolve(JSON.parse(e.data).things);
  });
  live.onerror = () => {
    live.close();
    reject(new Error('the live stream does not come'));
  };
}));

const numbers = (text) => text.match(/-?[\d.]+/g).map(Number);

await withBrowser('console', async (stage) => {
  const admin = await stage.page({ viewport });
  await admin.goto(`${where.url}/admin`);

  await check('a wrong admin token is refused, and the page says what to do', async () => {
    await login(admin, 'not-the-token-of-this-venue');
    const said = await admin.locator('[role=alert]').innerText();
    want(/not the admin token/.test(said) && /file/.test(said), 'a reason and what to do', said);
    const { status, body } = await api(admin, '/venue');
    want(status === 401 && body.code === 'not_logged_in', 'the API to refuse', { status, body });
    await admin.screenshot({ path: artifact('console-login.png') });
  });

  await check('the admin token opens the console, which goes live', async () => {
    await login(admin, where.admin);
    await until('the console to be live', async () => /\blive\b/.test(await admin.locator('.status').innerText()));
    const cookie = (await admin.context().cookies()).find((c) => c.name === 'venued_admin');
    want(cookie?.httpOnly && cookie.sameSite === 'Strict', 'an HttpOnly cookie, SameSite=Strict', cookie);
    want((await admin.locator('h1').innerText()).includes('Hall of <b>tests</b>'), 'the venue’s name as text', await admin.locator('h1').innerText());
  });

  await check('the map shows a walking bot', async () => {
    await bots(1);
    const walker = () => things(admin).then((all) => all.find((t) => t.kind === 'person'));
    await until('the bot to be there', walker);
    const card = admin.locator('aside[aria-label=Selected]');
    await until('the bot to be found on the map where it is', async () => {
      const bot = await walker();
      if (bot === undefined) return false;
      await clickAt(admin, bot.p);
      return (await card.count()) > 0 && (await card.innerText()).includes(bot.session);
    });
    const place = () => card.locator('dd').nth(2).innerText();
    const first = await place();
    await until('its place to change on the map', async () => {
      const now = await place();
      return apart(numbers(now), numbers(first)) > 0.5;
    }, { found: place });
    await admin.screenshot({ path: artifact('console-map.png') });
  });

  await check('the bot is kicked from the map, and is gone', async () => {
    await admin.locator('aside[aria-label=Selected]').getByRole('button', { name: 'Kick' }).click();
    await confirm(admin, 'End the visit');
    await until('nobody to be there', async () => !(await things(admin)).some((t) => t.kind === 'person'));
  });

  const hal = await Visitor.join(stage, EVIL, { spawn: 'left' });
  const { session, entity } = await hal.welcome();
  const row = admin.locator('tr', { hasText: EVIL });

  await check('HTML in a visitor’s name is text in the console', async () => {
    await admin.getByRole('link', { name: 'Clients' }).click();
    await row.waitFor();
    await admin.screenshot({ path: artifact('console-clients.png') });
    await admin.getByRole('link', { name: 'Floor' }).click();
    await until('the visitor to be found on the map', async () => {
      const there = (await things(admin)).find((t) => t.id === entity);
      await clickAt(admin, there.p);
      const card = admin.locator('aside[aria-label=Selected]');
      return (await card.count()) > 0 && (await card.locator('h3').innerText()) === EVIL;
    });
    await admin.getByRole('link', { name: 'Log' }).click();
    await until('the log to tell of the visitor', async () => (await admin.locator('main').innerText()).includes(session));
    await admin.screenshot({ path: artifact('console-log.png') });
    const found = await admin.evaluate(() => ({ injected: window.injected, images: document.images.length }));
    want(found.injected === undefined && found.images === 0, 'no markup of it', found);
  });

  await check('a page of another origin cannot act, though the browser sends it along with the cookie', async () => {
    const foreign = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>elsewhere</title>'));
    await new Promise((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    try {
      const evil = await admin.context().newPage();
      const answers = [];
      evil.on('response', (r) => {
        if (r.url().startsWith(where.url)) answers.push({ url: r.url().slice(where.url.length), status: r.status() });
      });
      await evil.goto(`http://127.0.0.1:${foreign.address().port}/`);
      const kick = `${where.url}/admin/api/clients/${session}/kick`;
      const heard = await evil.evaluate(async ([url, live]) => {
        const tried = {};
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }).catch(() => undefined);
        tried.json = await fetch(url, { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: '{}' }).then(() => 'answered', () => 'refused');
        tried.live = await new Promise((resolve) => {
          const stream = new EventSource(live, { withCredentials: true });
          stream.onopen = () => resolve('open');
          stream.onerror = () => resolve('refused');
        });
        return tried;
      }, [kick, `${where.url}/admin/api/live`]);
      want(heard.json === 'refused' && heard.live === 'refused', 'both to be refused', heard);
      await evil.evaluate((url) => {
        const form = document.createElement('form');
        form.method = 'post';
        form.enctype = 'text/plain';
        form.action = url;
        document.body.append(form);
        setTimeout(() => form.submit()); // the page goes away by it
      }, kick);
      await evil.waitForURL(kick);
      const said = await evil.locator('body').innerText();
      want(/cross_site/.test(said), 'the form’s answer to say cross_site', said);
      const acted = answers.filter((a) => a.url.endsWith('/kick'));
      want(acted.length > 0 && acted.every((a) => a.status === 403), 'every answer to be 403', answers);
      want((await hal.status()).state === 'connected', 'the visitor to be there still', await hal.status());
      await evil.close();
    } finally {
      foreign.close();
      foreign.closeAllConnections();
    }
  });

  await check('an object is put back from the map: from where it was left, and out of the hand that holds it', async () => {
    await admin.getByRole('link', { name: 'Floor' }).click();
    const card = admin.locator('aside[aria-label=Selected]');
    const putBack = async () => {
      await until('the cup to be found on the map', async () => {
        const there = (await things(admin)).find((t) => t.name === 'cup');
        await clickAt(admin, there.p);
        return (await card.count()) > 0 && (await card.locator('h3').innerText()) === 'cup';
      });
      await card.getByRole('button', { name: 'Reset' }).click();
      await confirm(admin, 'Put it back');
      return hal.sights('cup', 'the cup in its place, free', (e) => e.holder === '0' && e.predicted === '0' && apart(e.head, [6, 0.98, 4.4]) < 0.02);
    };
    const cup = await putBack(); // the bot may have carried it somewhere
    const outcome = await hal.page.evaluate(([id, p]) => __venued.client.grab(id, 'right', { p, q: [0, 0, 0, 1] }), [cup.id, cup.head]);
    want(outcome.ok, 'the grab to be granted', outcome);
    await hal.sights('cup', 'the cup held, and away from its place', (e) => e.holder === entity && apart(e.head, [6, 0.98, 4.4]) > 0.1);
    await putBack();
  });

  await check('a version of a rule is uploaded, activated, rolled back, and the file’s loaded again', async () => {
    await admin.getByRole('link', { name: 'Regions' }).click();
    await admin.screenshot({ path: artifact('console-regions.png') });
    await admin.getByRole('link', { name: 'Rules' }).click();
    await admin.locator('select[aria-label=Rule]').selectOption('grab');
    const upload = admin.locator('form.upload');
    await upload.locator('input[type=file]').setInputFiles({ name: 'rule.wasm', mimeType: 'application/wasm', buffer: Buffer.from('<script>') });
    await upload.getByRole('button', { name: 'Upload' }).click();
    await upload.locator('.answer.bad', { hasText: 'not a WebAssembly module' }).waitFor();
    await upload.locator('input[type=file]').setInputFiles(fileURLToPath(new URL('../../plugins/built/grab.wasm', import.meta.url)));
    await upload.getByRole('button', { name: 'Upload' }).click();
    await upload.locator('.answer.good', { hasText: 'was uploaded' }).waitFor();
    const running = admin.locator('tr', { has: admin.getByRole('button', { name: 'grab', exact: true }) });
    await admin.getByRole('button', { name: 'Activate…' }).click();
    await confirm(admin, 'Run it');
    await running.filter({ hasText: 'upload' }).first().waitFor();
    await admin.screenshot({ path: artifact('console-rules.png'), fullPage: true });
    await admin.getByRole('button', { name: 'Roll back…' }).click();
    await confirm(admin, 'Roll back');
    await running.filter({ hasText: 'venue\'s file' }).first().waitFor();
    await admin.locator('td', { hasText: 'admin rolled back' }).first().waitFor();
    await admin.getByRole('button', { name: 'Load the file\'s again…' }).click();
    await confirm(admin, 'Load it');
    await admin.locator('.lines .line', { hasText: 'swapped' }).first().waitFor();
    await admin.getByRole('link', { name: 'Boards' }).click();
    await admin.getByText('Nobody has scored.').waitFor();
  });

  await check('a kicked visitor reads why, and does not come back by itself', async () => {
    await admin.getByRole('link', { name: 'Clients' }).click();
    await row.getByRole('button', { name: 'Kick' }).click();
    await admin.locator('dialog input[type=text]').fill('The hall closes for <today>.');
    await confirm(admin, 'End the visit', artifact('console-kick.png'));
    await until('the visitor to read it', async () => {
      const said = await hal.said();
      return /asked to leave/i.test(said) && said.includes('The hall closes for <today>.');
    }, { found: () => hal.said() });
    await hal.page.screenshot({ path: artifact('kicked.png') });
    await until('the visitor to be gone from the list', async () => (await row.count()) === 0);
    await until('the visitor to be gone from the map', async () => !(await things(admin)).some((t) => t.id === entity));
  });

  await check('logging out ends the session', async () => {
    await admin.getByRole('button', { name: 'Log out' }).click();
    await admin.locator('input[name=token]').waitFor();
    const { status } = await api(admin, '/clients');
    want(status === 401, 'the API to refuse', status);
  });
});

/** Answers the console's question with yes, and waits for the answer that it was done. */
async function confirm(page, verb, shot) {
  const dialog = page.locator('dialog');
  if (shot) await page.screenshot({ path: shot });
  await dialog.getByRole('button', { name: verb }).click();
  await dialog.locator('.answer.good').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Clicks on a place of the map that shows the whole floor: 16 by 10 metres in the middle, 24 pixels from its edges. */
async function clickAt(page, [x, , z]) {
  const canvas = page.locator('canvas[aria-label="Floor map"]');
  const { width, height } = await canvas.boundingBox();
  const scale = Math.min((width - 48) / 16, (height - 48) / 10);
  await canvas.click({ position: { x: (x - 8) * scale + width / 2, y: (z - 5) * scale + height / 2 } });
}
