// A visitor of the page: joins as people do, through the form, and says what its page shows.
import { button, wear, withHeadset } from './headset.mjs';
import { PATIENCE, until, want } from './report.mjs';
import { where } from './stage.mjs';

/** The address of a join link. */
export function link({ url = where.url, token = where.token, ...query } = {}) {
  const params = new URLSearchParams(query).toString();
  return `${url}/${params === '' ? '' : `?${params}`}#token=${token}`;
}

/** Opens a join link in a new page, and waits for the form that asks for a name. */
export async function opened(stage, { href, before = [], ...options } = {}) {
  const page = await stage.page({ before, ...options });
  await page.goto(href, { waitUntil: 'domcontentloaded' });
  return page;
}

/** Fills the form in and enters. */
export async function enter(page, name) {
  const input = page.locator('.layer.welcome input');
  await input.waitFor({ timeout: PATIENCE });
  if (await input.isEditable()) await input.fill(name);
  await page.locator('.layer button[type=submit]').click();
}

export class Visitor {
  constructor(page, name) {
    this.page = page;
    this.name = name;
    this.seen = 0;
  }

  /** Joins: `query` is the link's (spawn, lane), `url` where the server is. */
  static async join(stage, name, { url, token, headset = false, before = [], viewport, deviceScaleFactor, ...query } = {}) {
    const page = await opened(stage, {
      href: link({ ...(url ? { url } : {}), ...(token ? { token } : {}), ...query }),
      before: [...(headset ? withHeadset : []), ...before],
      ...(viewport ? { viewport } : {}),
      ...(deviceScaleFactor ? { deviceScaleFactor } : {}),
    });
    await enter(page, name);
    const visitor = new Visitor(page, name);
    await visitor.connected();
    await page.evaluate(() => {
      window.story = [];
      __venued.client.on('event', (e) => story.push(e));
      __venued.client.on('status', (s) => story.push({ t: 'status', state: s.state, resumed: s.resumed, full: s.full, at: performance.now() }));
    });
    return visitor;
  }

  /** Waits until it is connected. */
  connected() {
    return until(`${this.name} to be connected`, async () => (await this.status())?.state === 'connected', { found: () => this.said() });
  }

  status() {
    return this.page.evaluate(() => {
      const s = globalThis.__venued?.client?.status;
      return s && { state: s.state, lane: s.lane, attempt: s.attempt, reason: s.reason, resumed: s.resumed, full: s.full };
    });
  }

  welcome() {
    return this.page.evaluate(() => {
      const { session, entity, user, name, place, resumed, full } = __venued.client.welcome;
      return { session, entity, user, name, place, resumed, full };
    });
  }

  stats() {
    return this.page.evaluate(() => ({ ...__venued.client.stats() }));
  }

  /** Its own body, as it was sent last. */
  body() {
    return this.page.evaluate(() => __venued.body());
  }

  /** The text that the page shows. */
  said() {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** What it sees of somebody or something by name: place of head and hands, state, holder; null when it does not see it. */
  sees(name) {
    return this.page.evaluate((n) => {
      const { client } = __venued;
      const e = [...client.entities.values()].find((x) => x.name === n);
      if (!e) return null;
      const { head, left, right } = e.sample();
      const { holder, value, away, locked, speaking } = e.state;
      return { id: e.id, kind: e.kind, head: head.p, turn: head.q, left: left.p, right: right.p, holder, value, away, locked, speaking, extras: e.extras, predicted: client.predictedHolder(e.id) };
    }, name);
  }

  /** Waits until what it sees of something is as `holds` says, and returns that; `more` adds to what a failure shows. */
  async sights(name, what, holds, more = () => undefined) {
    let last = null;
    return until(`${this.name} to see ${what}`, async () => {
      last = await this.sees(name);
      return last && (await holds(last)) && last;
    }, { found: () => [last, more()] });
  }

  /** The events and changes of the connection since the last call of `turnPage`. */
  story(type) {
    return this.page.evaluate(([from, t]) => story.slice(from).filter((e) => !t || e.t === t), [this.seen, type]);
  }

  async turnPage() {
    this.seen = await this.page.evaluate(() => story.length);
  }

  /** Enters the headset. */
  async enterVR() {
    await this.page.locator('button[name=enter-vr]').click({ timeout: PATIENCE });
    // Once its space is aligned, the head is where the venue put it.
    const { place } = await this.welcome();
    await until(`${this.name} to be in the headset`, () => this.page.evaluate((p) => {
      const { presenting, body } = __venued;
      return presenting() && Math.hypot(body().head.p[0] - p[0], body().head.p[2] - p[2]) < 0.02;
    }, place.p));
  }

  /** Moves the headset and its controllers to places in the venue, metres, at once; and turns the head to a yaw, radians. */
  async be({ yaw, ...places }) {
    const to = await this.page.evaluate((p) => Object.fromEntries(Object.entries(p).map(([k, v]) => [k, __venued.toSpace(v)])), places);
    await wear(this.page, { ...to, yaw });
  }

  /** Squeezes with a hand, or opens it. */
  squeeze(closed, hand = 'right') {
    return button(this.page, hand, 'squeeze', closed ? 1 : 0);
  }

  /** Leaves, as a page does that is closed. */
  async leave() {
    await this.page.goto('about:blank');
  }
}

/** The distance of two places, metres. */
export const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Throws unless two places are the same up to `most` metres. */
export function wantNear(a, b, most, what) {
  want(apart(a, b) <= most, `${what} within ${most} m of ${b.map((c) => c.toFixed(2))}`, a.map((c) => c.toFixed(2)));
}
