// Other ways in than WebRTC over UDP. The network of this test has no UDP.
import { withBrowser } from './lib/chromium.mjs';
import { check, figure, until, want } from './lib/report.mjs';
import { where } from './lib/stage.mjs';
import { Visitor, apart } from './lib/visitor.mjs';

await withBrowser('lanes', async (stage) => {
  const dora = await Visitor.join(stage, 'Dora', { spawn: 'right' });
  const joins = (how, query, lane, prepare) => stage.part(() => elif(stage, dora, how, query, lane, prepare));
  await joins('the WebSocket lane', { lane: 'ws' }, 'ws');
  await joins('ICE-TCP, where UDP is closed', { lane: 'tcp' }, 'tcp');
  await joins('whatever there is, where UDP is closed', {}, 'webrtc');
  await joins('WebSocket by itself, where neither UDP nor ICE-TCP passes', {}, 'ws', (page) => page.route('**/v1/rtc*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/^a=candidate:.*\r?\n/gm, '');
    await route.fulfill({ response: answer, body });
  }));
});

/** Elif joins over a lane; both directions and both lanes work. */
async function elif(stage, dora, how, query, lane, prepare = async () => undefined) {
  await check(`a page joins over ${how}`, async () => {
    const page = async (options) => {
      const p = await stage.page(options);
      await prepare(p);
      return p;
    };
    const elif = await Visitor.join({ page }, 'Elif', { url: where.relay, spawn: 'left', ...query });
    const { lane: over } = await elif.status();
    want(over === lane, `the lane ${lane}`, over);
    const stood = (await dora.sights('Elif', 'Elif', (e) => !e.away)).head;
    await elif.page.keyboard.down('KeyS');
    await dora.sights('Elif', 'Elif walk back', (e) => apart(e.head, stood) > 0.5);
    await elif.page.keyboard.up('KeyS');
    const other = (await elif.sights('Dora', 'Dora', (e) => !e.away)).head;
    const key = other[2] < 7 ? 'KeyS' : 'KeyW'; // there is room both ways
    await dora.page.keyboard.down(key);
    await elif.sights('Dora', 'Dora walk', (e) => apart(e.head, other) > 0.5);
    await dora.page.keyboard.up(key);
    const outcome = await elif.page.evaluate(() => __venued.client.message('hello', { n: 1 }));
    want(outcome.ok, 'a message to be taken', outcome);
    const stats = await until('a round trip to be known', async () => {
      const s = await elif.stats();
      return s.rttMS !== null && s;
    });
    figure(how, { rttMS: stats.rttMS, sendHz: stats.sendHz, receivedHz: stats.receivedHz });
    await elif.leave();
    await until('Dora to see her no more', async () => (await dora.sees('Elif')) === null);
  });
}
