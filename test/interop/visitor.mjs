// A visitor on libwebrtc (@roamhq/wrtc), which is neither the server's WebRTC library nor a browser:
//
//   node visitor.mjs JOIN_LINK USER SPAWN_POINT NAME_OF_A_PERSON_WHO_WALKS_THERE
//
// It joins, sends poses, watches that person walk, goes to an object that can be grabbed, grabs it, carries it a step,
// releases it, and leaves. Every milestone is a line of JSON on stdout. It ends with 0 when all
// of it worked, and with 1 and the reason on stderr otherwise.
import { createRequire } from 'node:module';
import { View, decodePong, encodePing, encodePose, rotation, steps, typeOf } from './codec.mjs';

const { RTCPeerConnection } = createRequire(import.meta.url)('@roamhq/wrtc');
const [link, user, spawn, walkerName] = process.argv.slice(2);
const AVATAR = 1, OBJECT = 2;
const PATIENCE = 40_000; // ms, for everything together

function fail(reason) {
  console.error(`visitor: ${reason}`);
  process.exit(1);
}
setTimeout(() => fail(`not done after ${PATIENCE} ms; reached: ${reached.join(', ') || 'nothing'}`), PATIENCE);
process.on('unhandledRejection', (e) => fail(e.stack ?? e));

const reached = [];
function milestone(name, detail = {}) {
  reached.push(name);
  console.log(JSON.stringify({ milestone: name, ...detail }, (_, v) => (typeof v === 'bigint' ? v.toString() : v)));
}

const url = new URL(link);
const token = new URLSearchParams(url.hash.slice(1)).get('token');
const base = url.origin + url.pathname.replace(/\/$/, '');

const view = new View();
const clock = { offset: null, rtt: Infinity }; // server microseconds minus ours
const nowUS = () => Math.round(performance.now() * 1000);
const serverUS = () => nowUS() + clock.offset;
let welcome, head, hand;
let seq = 0;
let leaving = false, closed = null;
const outcomes = new Map(); // key input number -> {ack, event}
let changed = () => {};

const pc = new RTCPeerConnection();
const pose = pc.createDataChannel('pose', { ordered: false, maxRetransmits: 0 });
const event = pc.createDataChannel('event', { ordered: true });
pose.binaryType = event.binaryType = 'arraybuffer';
pose.onmessage = ({ data }) => onPose(new Uint8Array(data));
event.onmessage = ({ data }) => onEvent(JSON.parse(data));

function onPose(bytes) {
  if (typeOf(bytes) === 'pong') {
    const { t0, t1, t2 } = decodePong(bytes);
    const t3 = nowUS();
    const rtt = t3 - Number(t0) - Number(t2 - t1);
    if (rtt < clock.rtt) {
      clock.rtt = rtt;
      clock.offset = Math.round((Number(t1) - Number(t0) + Number(t2) - t3) / 2);
    }
  } else if (typeOf(bytes) === 'frame' && view.apply(bytes)) {
    changed();
  }
}

function onEvent(e) {
  if (e.t === 'welcome') {
    welcome = e;
    clock.offset = e.time_us - nowUS();
    head = e.p;
    milestone('welcome', { session: e.session, entity: e.entity, user: e.user, venue: e.venue });
  } else if (e.t === 'close' && leaving) {
    closed = e;
  } else if (e.t === 'close' || e.t === 'error') {
    fail(`the server says ${JSON.stringify(e)}`);
  } else if (e.seq !== undefined) {
    const o = outcomes.get(e.seq) ?? {};
    o[e.t === 'ack' ? 'ack' : 'event'] = e;
    outcomes.set(e.seq, o);
  }
  changed();
}

// until resolves once holds() gives something; it is asked whenever something arrives or a sample is sent.
function until(holds) {
  return new Promise((resolve) => {
    const before = changed;
    changed = () => {
      before();
      const value = holds();
      if (value) {
        changed = before;
        resolve(value);
      }
    };
    changed();
  });
}

const UPRIGHT = rotation([0, 0, 0, 1]);
const joint = (p) => ({ pos: p.map(steps), rot: UPRIGHT });

function sample() {
  const body = {
    head: joint(head),
    left: joint([head[0] - 0.2, head[1] - 0.6, head[2]]),
    right: joint(hand ?? [head[0] + 0.2, head[1] - 0.6, head[2]]),
  };
  seq = (seq + 1) & 0xffff;
  pose.send(encodePose({ seq, stamp: Math.floor(serverUS() / 100) % 2 ** 32, ack: view.ack(), body }));
}

// toward moves the head over the ground by at most dist metres.
function toward(goal, dist) {
  const d = Math.hypot(goal[0] - head[0], goal[2] - head[2]);
  const f = d <= dist ? 1 : dist / d;
  head = [head[0] + (goal[0] - head[0]) * f, head[1], head[2] + (goal[2] - head[2]) * f];
  return d <= dist;
}

const metres = (pos) => pos.map((c) => c / 1024);
let input = 0;
async function act(t, object) {
  const n = ++input;
  event.send(JSON.stringify({
    t, n, ts: serverUS(), object: object.info.id.toString(), hand: 'right', p: hand, q: [0, 0, 0, 1],
  }));
  return until(() => {
    const o = outcomes.get(n);
    return o?.ack && o?.event ? o : o?.ack && !o.ack.ok ? o : null;
  });
}

const sdp = { 'Content-Type': 'application/sdp', Authorization: `Bearer ${token}` };
await pc.setLocalDescription(await pc.createOffer());
await new Promise((resolve) => {
  if (pc.iceGatheringState === 'complete') resolve();
  pc.onicegatheringstatechange = () => pc.iceGatheringState === 'complete' && resolve();
});
const answer = await fetch(`${base}/v1/rtc?user=${user}&spawn=${spawn}`, { method: 'POST', headers: sdp, body: pc.localDescription.sdp });
if (answer.status !== 201) fail(`POST /v1/rtc: ${answer.status} ${await answer.text()}`);
const location = new URL(answer.headers.get('Location'), `${base}/`).href;
await pc.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
milestone('answered', { location: location.replace(/[^/]*$/, '...') });

await until(() => welcome && pose.readyState === 'open');
for (let i = 0; i < 5; i++) pose.send(encodePing(nowUS()));
let walkTo = null;
const sampling = setInterval(() => {
  if (walkTo && toward(walkTo, 2.5 / welcome.upload_hz)) walkTo = null;
  if (seq % 60 === 0) pose.send(encodePing(nowUS()));
  sample();
  changed();
}, 1000 / welcome.upload_hz);

// Somebody else's avatar moves.
const places = new Set();
const walker = await until(() => {
  const w = view.entities().find((e) => e.info.kind === AVATAR && e.info.name === walkerName);
  if (w) places.add(w.state.head.pos.join());
  return places.size >= 20 && w;
});
milestone('saw', { entity: walker.info.id, places: places.size, age_ms: walker.state.age_ms });

// Go to the nearest free object and grab it.
const free = () => view.entities()
  .filter((e) => e.info.kind === OBJECT && welcome.kinds[e.info.class]?.grabbable && e.state.holder === '0')
  .map((e) => ({ e, d: Math.hypot(...metres(e.state.head.pos).map((c, i) => (i === 1 ? 0 : c - head[i]))) }))
  .sort((a, b) => a.d - b.d)[0]?.e;
const object = await until(free);
const at = metres(object.state.head.pos);
const near = Math.max(Math.hypot(at[0] - head[0], at[2] - head[2]), 0.01);
walkTo = [at[0] + (head[0] - at[0]) * 0.4 / near, 0, at[2] + (head[2] - at[2]) * 0.4 / near];
await until(() => walkTo === null);
hand = at;
const here = seq;
await until(() => ((seq - here) & 0xffff) > 5); // the hand is there in the server's eyes, too
const grab = await act('grab', object);
if (!grab.event || grab.event.t !== 'grabbed') fail(`the grab came to ${JSON.stringify(grab)}`);
milestone('grabbed', { object: object.info.id, by: grab.event.by, rule: grab.event.rule, name: object.info.name });

// The object follows the hand.
hand = [at[0], at[1] + 0.3, at[2]];
const held = await until(() => {
  const e = view.entities().find((x) => x.info.id === object.info.id);
  return e && e.state.holder === welcome.entity && metres(e.state.head.pos)[1] > at[1] + 0.2 && e;
});
milestone('carried', { to: metres(held.state.head.pos), rtt_us: clock.rtt });
const release = await act('release', object);
if (!release.ack.ok) fail(`the release came to ${JSON.stringify(release)}`);
milestone('released');

clearInterval(sampling);
leaving = true;
const gone = await fetch(location, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
if (gone.status !== 204) fail(`DELETE: ${gone.status} ${await gone.text()}`);
const last = await until(() => closed);
if (last.name !== 'left') fail(`the last word is ${JSON.stringify(last)}`);
milestone('left', { code: last.code });
pc.close();
process.exit(0);
