// Two people with headsets.
import { artifact, withBrowser } from './lib/chromium.mjs';
import { pinch } from './lib/headset.mjs';
import { check, figure, until, want } from './lib/report.mjs';
import { Visitor, apart, wantNear } from './lib/visitor.mjs';

const ROUNDS = 20;
const CUP = 'cup';

await withBrowser('headsets', async (stage) => {
  const [ann, ben] = await check('two pages join with headsets', async () => {
    const both = await Promise.all([
      Visitor.join(stage, 'Ann', { headset: true, spawn: 'left' }),
      Visitor.join(stage, 'Ben', { headset: true, spawn: 'right' }),
    ]);
    for (const v of both) await v.enterVR();
    return both;
  });
  const { entity: annId } = await ann.welcome();
  const { entity: benId } = await ben.welcome();

  for (const [mover, watcher, x] of [[ann, ben, 5.4], [ben, ann, 6.6]]) {
    await check(`${watcher.name} sees the head and hands of ${mover.name} move`, async () => {
      const places = [
        { head: [x, 1.62, 4.9], left: [x - 0.3, 1.2, 4.6], right: [x + 0.3, 1.3, 4.5] },
        { head: [x, 1.4, 5.2], left: [x - 0.4, 1.5, 5], right: [x + 0.2, 0.9, 4.9] },
        { head: [x, 1.62, 4.9], left: [x - 0.2, 1.0, 4.7], right: [x + 0.2, 1.05, 4.6] },
      ];
      for (const place of places) {
        await mover.be(place);
        await sameBody(watcher, mover, place);
      }
    });
  }
  await check('they look at each other', async () => {
    for (const [v, other, yaw] of [[ann, ben, -Math.PI / 2], [ben, ann, Math.PI / 2]]) {
      await v.be({ yaw });
      await sameBody(other, v, {}, yaw);
    }
    await Promise.all([ann, ben].map((v) => v.page.screenshot({ path: artifact(`headset-${v.name.toLowerCase()}.png`) })));
    await Promise.all([ann, ben].map((v) => v.be({ yaw: 0 })));
  });

  await check(`both press grab on one object in the same frame, ${ROUNDS} times: one holds it each time, and both pages agree`, async () => {
    const cup = await ann.sights(CUP, 'the cup', (e) => e.holder === '0');
    const at = cup.head;
    const beside = (dx) => [at[0] + dx, at[1] + 0.1, at[2] + 0.05];
    const wins = { [annId]: 0, [benId]: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [beside(-0.12), beside(0.12)];
      await Promise.all([ann.be({ right: a }), ben.be({ right: b })]);
      await Promise.all([sameBody(ben, ann, { right: a }), sameBody(ann, ben, { right: b })]);
      await Promise.all([ann.turnPage(), ben.turnPage()]);
      await Promise.all([ann.squeeze(true), ben.squeeze(true)]);
      const holder = await until(`round ${round}: both pages to show the same holder`, async () => {
        const [x, y] = await Promise.all([ann.sees(CUP), ben.sees(CUP)]);
        const settled = x && y && x.holder !== '0' && x.holder === y.holder && x.predicted === x.holder && y.predicted === y.holder;
        return settled && x.holder;
      }, { found: async () => [await ann.sees(CUP), await ben.sees(CUP), await ann.story(), await ben.story()] });
      want(holder === annId || holder === benId, `Ann (${annId}) or Ben (${benId}) to hold it`, holder);
      wins[holder]++;
      const [winner, loser] = holder === annId ? [ann, ben] : [ben, ann];
      await until(`round ${round}: the other to hear of the denial`, async () => (await loser.story('denied')).length > 0, { found: () => loser.story() });
      for (const v of [winner, loser]) {
        const granted = (await v.story('grabbed')).filter((e) => e.object === cup.id);
        want(granted.length === 1 && granted[0].by === holder, `round ${round}: ${v.name} to hear of one grant, for ${holder}`, granted);
      }
      await Promise.all([ann.squeeze(false), ben.squeeze(false)]);
      await Promise.all([ann, ben].map((v) => v.sights(CUP, 'nobody hold the cup', (e) => e.holder === '0' && e.predicted === '0')));
    }
    figure('grabs won', { Ann: wins[annId], Ben: wins[benId] });
  });

  await check('what is held follows the hand on the other page', async () => {
    const cup = await ann.sees(CUP);
    await ann.be({ right: cup.head });
    await sameBody(ben, ann, { right: cup.head });
    await ann.squeeze(true);
    await ben.sights(CUP, 'Ann hold it', (e) => e.holder === annId);
    const up = [cup.head[0] - 0.2, cup.head[1] + 0.5, cup.head[2] + 0.1];
    await ann.be({ right: up });
    const seen = await ben.sights(CUP, 'the cup raised', (e) => e.head[1] > cup.head[1] + 0.35);
    wantNear(seen.head, up, 0.4, 'the cup');
    await ann.page.screenshot({ path: artifact('holding.png') });
    await ann.squeeze(false);
    await ben.sights(CUP, 'nobody hold it', (e) => e.holder === '0');
  });

  await check('the door opens for one who stands before it, and closes after', async () => {
    await ann.sights('store-door', 'the door closed', (e) => e.value === 0);
    const head = (await ann.sees('Ben')).head;
    await stroll(ben, head, [9.2, head[1], 5]);
    await ann.sights('store-door', 'the door open', (e) => e.value === 1000);
    await ben.page.screenshot({ path: artifact('door-open.png') });
    await stroll(ben, [9.2, head[1], 5], head);
    await ann.sights('store-door', 'the door closed again', (e) => e.value === 0);
  });

  await check('who speaks, and how fingers of tracked hands are bent, shows on the other page', async () => {
    await ben.sights('Ann', 'no fingers and no voice', (e) => !e.speaking && !e.extras.fingers);
    await pinch(ann.page, 0);
    await ann.page.evaluate(() => __venued.client.setSpeaking(true));
    const open = await ben.sights('Ann', 'fingers of both hands, and that she speaks', (e) => e.speaking && e.extras.fingers?.left && e.extras.fingers.right);
    const index = (e) => e.extras.fingers.right[1];
    await pinch(ann.page, 1);
    await ben.sights('Ann', 'the index finger bent more', (e) => e.extras.fingers && index(e) > index(open) + 0.05);
    await pinch(ann.page, null);
    await ann.page.evaluate(() => __venued.client.setSpeaking(false));
    await ben.sights('Ann', 'no fingers and no voice any more', (e) => !e.speaking && !e.extras.fingers);
  });

  await check('who leaves is gone from the other page', async () => {
    await ben.leave();
    await until('Ann to see Ben no more', async () => (await ann.sees('Ben')) === null);
  });
});

/**
 * Waits until one page shows another visitor's body as that visitor's own page has it, with head and hands at the places
 * given, and the head turned to a yaw. A controller's grip is a few centimetres from where its ray begins, which is what
 * is moved.
 */
async function sameBody(watcher, mover, places, yaw) {
  let own;
  await watcher.sights(mover.name, `${mover.name} with ${JSON.stringify(places)}`, async (seen) => {
    own = await mover.body();
    return Object.keys(places).every((joint) => apart(own[joint].p, places[joint]) < 0.08)
      && ['head', 'left', 'right'].every((joint) => apart(seen[joint], own[joint].p) < 0.02)
      && (yaw === undefined || Math.abs(yawOf(seen.turn) - yaw) < 0.02);
  }, () => own);
}

function yawOf([x, y, z, w]) {
  return Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y));
}

/** Walks in steps that a body could take: the next one when the page has shown the last to the venue. */
async function stroll(v, from, to) {
  const steps = Math.ceil(apart(from, to) / 0.4);
  const sent = () => v.page.evaluate(() => __venued.client.serverTimeUS());
  for (let i = 1; i <= steps; i++) {
    const head = from.map((c, j) => c + ((to[j] - c) * i) / steps);
    await v.be({ head, left: [head[0] - 0.25, head[1] - 0.5, head[2] - 0.2], right: [head[0] + 0.25, head[1] - 0.5, head[2] - 0.2] });
    const at = await sent();
    await until('a step to take its time', async () => (await sent()) > at + 150_000);
  }
}
