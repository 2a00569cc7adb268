// The network goes away for a while: one page is behind it, the other is not.
import { withBrowser } from './lib/chromium.mjs';
import { check, figure, until, want } from './lib/report.mjs';
import { breakAll, cut, heal, where } from './lib/stage.mjs';
import { Visitor, apart, wantNear } from './lib/visitor.mjs';

const CUP = 'cup';

await withBrowser('network', async (stage) => {
  const ben = await Visitor.join(stage, 'Ben', { spawn: 'right' });
  for (const lane of ['webrtc', 'tcp', 'ws']) {
    await stage.part(async () => {
      const ann = await check(`${lane}: a page joins through a network that can fail`, async () => {
        const v = await Visitor.join(stage, 'Ann', { url: where.relay, lane, spawn: 'left' });
        const { lane: over } = await v.status();
        want(over === lane, `the lane ${lane}`, over);
        return v;
      });
      // Over WebRTC the network is silent for a while; over WebSocket its connections break, too.
      const fail = lane === 'ws' ? breakAll : cut;
      await away(ann, ben, lane, fail, 1500);
      await away(ann, ben, lane, fail, 5000);
      await ann.leave();
      await until('Ben to see her no more', async () => (await ben.sees('Ann')) === null);
    });
  }
});

/** Takes Ann's network away, lets Ben do things meanwhile, and sees that Ann comes back. */
async function away(ann, ben, lane, fail, ms) {
  const short = ms < 2000;
  await check(`${lane}: after ${ms / 1000} s without network the page is in its place again, with ${short ? 'the missed key events' : 'the current state'}`, async () => {
    const before = await ann.welcome();
    const place = await standing(ann, ben);
    const cup = await ann.sights(CUP, 'the cup free', (e) => e.holder === '0');
    await ann.turnPage();
    await fail();
    const from = performance.now();
    const benId = (await ben.welcome()).entity;
    await take(ben, cup);
    if (short) await letGo(ben, cup);
    await until('the time without network to pass', () => performance.now() - from >= ms);
    await heal();
    const healed = performance.now();

    // Both know each other's state again: what Ann does now, Ben sees; what Ben did, Ann sees.
    await ann.sights(CUP, short ? 'the cup free' : 'Ben hold the cup', (e) => e.holder === (short ? '0' : benId));
    await ann.connected();
    const sight = await ben.sights('Ann', 'Ann back', (e) => !e.away);
    wantNear(sight.head, place, 0.1, 'Ann');
    const after = await ann.welcome();
    want(after.session === before.session && after.entity === before.entity, `the session ${before.session} of ${before.entity}`, after);
    if (short) {
      await until('Ann to hear of what she missed', async () => (await ann.story('released')).length > 0, { found: () => ann.story() });
      const missed = (await ann.story()).filter((e) => e.object === cup.id).map((e) => e.t);
      want(missed.join() === 'grabbed,released', 'what Ben did, once and in order', await ann.story());
    }
    const numbers = (await ann.story()).filter((e) => e.n !== undefined).map((e) => `${e.r}:${e.n}`);
    want(new Set(numbers).size === numbers.length, 'each event once', numbers);
    const back = Math.round(performance.now() - healed);
    // The lane carries samples again: who walks is seen to walk.
    const key = short ? 'KeyS' : 'KeyW';
    await ann.page.keyboard.down(key);
    await ben.sights('Ann', 'Ann walk', (e) => apart(e.head, sight.head) > 0.2);
    await ann.page.keyboard.up(key);
    figure(`${lane}: back after ${ms / 1000} s`, { ms: back, statuses: (await ann.story('status')).map((s) => s.state) });
    if (!short) await letGo(ben, cup);
  });
}

/** Waits until Ann stands still and Ben sees her where she is. Returns that place. */
async function standing(ann, ben) {
  let last = [Infinity, 0, 0];
  return until('Ann to stand still, and Ben to see her there', async () => {
    const own = (await ann.body()).head.p;
    const seen = await ben.sees('Ann');
    const still = apart(own, last) < 0.005 && seen && !seen.away && apart(seen.head, own) < 0.02;
    last = own;
    return still && own;
  });
}

/** Ben takes the cup, by the client itself. */
async function take(v, cup) {
  const outcome = await v.page.evaluate(([id, p]) => __venued.client.grab(id, 'right', { p, q: [0, 0, 0, 1] }), [cup.id, cup.head]);
  want(outcome.ok, 'the grab to be granted', outcome);
}

async function letGo(v, cup) {
  const outcome = await v.page.evaluate(([id, p]) => __venued.client.release(id, 'right', { p, q: [0, 0, 0, 1] }), [cup.id, cup.head]);
  want(outcome.ok, 'the release to be granted', outcome);
}
