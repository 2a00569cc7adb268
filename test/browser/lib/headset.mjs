// A headset that is not there: iwer stands in for the browser's WebXR. The init scripts go before the page's own.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Init scripts that give a page a headset with two controllers, `window.headset`. */
export const withHeadset = [
  { path: require.resolve('iwer/build/iwer.min.js') },
  () => {
    const device = new IWER.XRDevice(IWER.metaQuest3, { stereoEnabled: false });
    device.installRuntime({ forceInstall: true });
    device.position.set(0, 1.65, 0);
    device.controllers.left.position.set(-0.25, 1.1, -0.25);
    device.controllers.right.position.set(0.25, 1.1, -0.25);
    window.headset = device;
  },
];

/**
 * Moves what is worn of a visitor to places in the headset's own space, metres: head, left, right; and turns the
 * head to yaw, radians, 0 looking along -z.
 */
export function wear(page, places) {
  return page.evaluate((to) => {
    if (to.head) headset.position.set(...to.head);
    if (to.yaw !== undefined) headset.quaternion.set(0, Math.sin(to.yaw / 2), 0, Math.cos(to.yaw / 2));
    for (const hand of ['left', 'right']) if (to[hand]) headset.controllers[hand].position.set(...to[hand]);
  }, places);
}

/** Puts the controllers down: hands are tracked by their fingers, which pinch (1) or not (0). Null takes the controllers up again. */
export function pinch(page, value) {
  return page.evaluate((v) => {
    headset.primaryInputMode = v === null ? 'controller' : 'hand';
    if (v !== null) for (const hand of ['left', 'right']) headset.hands[hand].updatePinchValue(v);
  }, value);
}

/** Presses (1) or lifts (0) a button of a controller: 'squeeze' or 'trigger'. */
export function button(page, hand, id, value) {
  return page.evaluate(([h, b, v]) => headset.controllers[h].updateButtonValue(b, v), [hand, id, value]);
}
