// The pose lane's codec as visitor.mjs uses it: that of the TypeScript client, whose bundle VENUED_WIRE names, with
// vectors as arrays and entities as a list.
import { pathToFileURL } from 'node:url';

const wire = await import(pathToFileURL(process.env.VENUED_WIRE).href);

const point = ([x, y, z]) => ({ x, y, z });
const place = (j) => ({ pos: point(j.pos), rot: j.rot });
const array = ({ x, y, z }) => [x, y, z];

export const { decodePong } = wire;
export const encodePing = (t0) => wire.encodePing(BigInt(t0));

export function typeOf(bytes) {
  return Object.entries(wire.MSG).find(([, n]) => n === wire.typeOf(bytes))[0];
}

// encodePose takes positions in lattice steps as arrays, and rotations as rotation gives them.
export function encodePose({ seq, stamp, ack, body }) {
  return wire.encodePose({ seq, stamp, ack, body: { head: place(body.head), left: place(body.left), right: place(body.right) } });
}

export const rotation = ([x, y, z, w]) => wire.toRot([x, y, z, w], 'rotation');
export const steps = (metres) => wire.toSteps(metres, 'place');

// View is what one client sees.
export class View {
  view = new wire.View();
  infos = new Map();

  ack() {
    return this.view.ack();
  }

  // apply reports whether the frame was newer than the newest.
  apply(bytes) {
    const { stale, records } = this.view.apply(bytes);
    for (const r of records) if (r.info) this.infos.set(r.info.id, r.info);
    return !stale;
  }

  entities() {
    return [...this.view.ids()].map((id) => {
      const s = this.view.state(id);
      return { info: this.infos.get(id), state: { head: { pos: array(s.head.pos) }, holder: s.holder } };
    });
  }
}
