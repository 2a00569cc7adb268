/** The hall before one enters: the camera drifts, nobody is there. */
import { Vector3 } from 'three';
import { plannedThings } from './look.ts';
import type { View } from './scene/view.ts';
import type { Venue } from './venue.ts';
import { wallHeight } from './walls.ts';

/** Drifts through the hall until another frame function is set. */
export function preview(view: View, venue: Venue): void {
  const things = plannedThings(venue);
  const spawn = venue.spawns[0];
  const floor = venue.floors.find((f) => f.name === spawn?.floor) ?? venue.floors[0];
  if (floor === undefined) return;
  const room = venue.rooms.find((r) => spawn !== undefined && r.floor === spawn.floor
    && spawn.at[0] >= r.min[0] && spawn.at[0] <= r.max[0] && spawn.at[2] >= r.min[1] && spawn.at[2] <= r.max[1]) ?? floor;
  const middle = new Vector3((room.min[0] + room.max[0]) / 2, floor.y + 0.9, (room.min[1] + room.max[1]) / 2);
  const [w, d] = [room.max[0] - room.min[0], room.max[1] - room.min[1]];
  let t = 0.9;
  view.onFrame = (dt) => {
    t += dt * 0.045;
    view.camera.position.set(middle.x + Math.sin(t) * w * 0.4, floor.y + wallHeight(floor) * 0.72, middle.z + Math.cos(t) * d * 0.4);
    view.camera.lookAt(middle);
    view.blobs.begin();
    view.things.draw(things, {}, view.camera.position, view.blobs);
    view.avatars.draw([], undefined, view.camera.position, dt, view.blobs, () => 0);
    view.doors.draw(dt);
    view.blobs.end();
  };
}
