// The room that docs/designers.md makes.
import { artifact, withBrowser } from './lib/chromium.mjs';
import { check, until } from './lib/report.mjs';
import { act } from './lib/stage.mjs';
import { Visitor } from './lib/visitor.mjs';

await withBrowser('designers', async (stage) => {
  const ida = await check('a visitor comes into the room', () => Visitor.join(stage, 'Ida', { viewport: { width: 800, height: 500 } }));
  const { keyboard } = ida.page;

  /** Walks toward something until it is within reach, and looks at it until the page offers to do what `does` says. */
  const approach = async (name, does) => {
    const { head } = await ida.sights(name, name, () => true);
    const within = () => ida.page.evaluate(([n, p]) => {
      __venued.lookAt(p);
      return __venued.targets().right === n;
    }, [name, head]);
    await keyboard.down('KeyW');
    await until(`${name} to be within reach`, within, { found: () => ida.body() });
    await keyboard.up('KeyW');
    await until(`the page to offer to ${does}`, async () => (await within()) && (await ida.said()).includes(does), { found: () => ida.said() });
  };

  await check('the lamp goes on and off for who uses it', async () => {
    await approach('lamp', 'use Lamp');
    await keyboard.press('KeyF');
    await until('the page to say that it is on', async () => (await ida.said()).includes('The lamp is on.'), { found: () => ida.said() });
    await ida.sights('lamp', 'its state', (e) => e.value === 1);
    await ida.page.screenshot({ path: artifact('designers.png') });
    await keyboard.press('KeyF');
    await until('the page to say that it is off', async () => (await ida.said()).includes('The lamp is off.'), { found: () => ida.said() });
  });

  await check('another version of its rule is there while she is, with its words', async () => {
    await act('another version');
    await keyboard.press('KeyF');
    await until('the page to say the new words', async () => (await ida.said()).includes('Let there be light.'), { found: () => ida.said() });
    await ida.sights('lamp', 'its state', (e) => e.value === 1);
    await keyboard.press('KeyF');
    await ida.sights('lamp', 'its state', (e) => e.value === 0);
  });

  await check('the cup can be taken', async () => {
    await approach('cup', 'take cup');
    await keyboard.press('KeyE');
    const { entity } = await ida.welcome();
    await ida.sights('cup', 'the cup in her hand', (e) => e.holder === entity);
  });

  await check('the door opens for who stands before it', async () => {
    await ida.page.evaluate(() => __venued.lookAt([12, 1.6, 5]));
    await keyboard.down('KeyW');
    await ida.sights('study-door', 'the door open', (e) => e.value === 1000);
    await keyboard.up('KeyW');
  });
});
