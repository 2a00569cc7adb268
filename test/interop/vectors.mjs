// Runs the codec against the shared test vectors: node vectors.mjs FILE. Ends with 0 when all agree.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { View, decodePong, encodePing, encodePose } from './codec.mjs';

const vectors = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'hex'));

for (const p of vectors.poses) {
  const ack = p.has_ack ? { seq: p.ack_seq, bits: p.ack_bits } : null;
  assert.equal(hex(encodePose({ seq: p.seq, stamp: p.stamp, ack, body: p.body })), p.hex, `pose ${p.name}`);
}
for (const p of vectors.pings) assert.equal(hex(encodePing(p.t0)), p.hex);
for (const p of vectors.pongs) {
  assert.deepEqual(decodePong(bytesOf(p.hex)), { t0: BigInt(p.t0), t1: BigInt(p.t1), t2: BigInt(p.t2) });
}
const view = new View();
for (const f of vectors.frames) {
  const got = view.apply(bytesOf(f.hex));
  const { seq, tick, has_pose, pose_seq, throttle } = f;
  assert.deepEqual(got.header, { seq, tick, has_pose, pose_seq, throttle }, `frame ${f.name}`);
  assert.equal(got.records.length, f.records.length, `frame ${f.name}`);
  assert.deepEqual(view.ack(), f.ack, `frame ${f.name}`);
  assert.equal(view.entities().length, f.visible.length, `frame ${f.name}`);
  f.records.forEach((want, i) => check(got.records[i], want, `frame ${f.name}, record ${i}`));
}
console.log(`${vectors.poses.length} poses, ${vectors.frames.length} frames agree`);

function check(got, want, where) {
  assert.equal(got.handle, want.handle, where);
  if (want.info && got.info) {
    assert.equal(got.info.id, BigInt(want.info.id), where);
    assert.equal(got.info.name, want.info.name ?? '', where);
  }
  if (!want.state || !got.state) return;
  const { head, left, right } = want.state.body ?? want.state;
  for (const [name, joint] of Object.entries({ head, left, right })) {
    assert.deepEqual(got.state[name], joint, `${where}, ${name}`);
  }
  assert.equal(got.state.age_ms, want.state.age_ms, where);
  assert.equal(got.state.flags, want.state.flags, where);
  assert.equal(got.state.holder, BigInt(want.state.holder), where);
  assert.equal(got.state.value, want.state.value, where);
}
