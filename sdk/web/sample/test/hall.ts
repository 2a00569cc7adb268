/** A small venue for tests: two rooms of 10 x 10 m side by side with a door between, a table, a stage. */
import { readVenue, type Venue } from '../src/venue.ts';

export function hall(): Venue {
  return readVenue({
    id: 'test', name: 'Test', protocol: 1, cell_m: 5, limits: { users: 10, speed_m_s: 6, hand_reach_m: 1.5, grab_reach_m: 0.6 },
    floors: [{ name: 'ground', min: [0, 0], max: [20, 10], y: 0, height: 5 }],
    rooms: [
      { name: 'west', floor: 'ground', min: [0, 0], max: [10, 10] },
      { name: 'east', floor: 'ground', min: [10, 0], max: [20, 10] },
    ],
    zones: null,
    spawns: [{ name: 'in', floor: 'ground', at: [5, 0, 8], radius: 1, yaw_deg: 0 }],
    kinds: [
      { name: 'table', grabbable: false, usable: false, shape: 'box', size: [2, 0.9, 1], color: '#a07850' },
      { name: 'stage', grabbable: false, usable: false, shape: 'box', size: [4, 0.4, 2], color: '#6b4f3a' },
      { name: 'cube', grabbable: true, usable: false, shape: 'box', size: [0.2, 0.2, 0.2], color: '#3f7fbf' },
    ],
    objects: [
      { name: 'table', kind: 'table', floor: 'ground', at: [5, 0.45, 5], yaw_deg: 0 },
      { name: 'stage', kind: 'stage', floor: 'ground', at: [15, 0.2, 2], yaw_deg: 0 },
      { name: 'cube', kind: 'cube', floor: 'ground', at: [5, 1, 5], yaw_deg: 0 },
    ],
    doors: [{ name: 'door', floor: 'ground', at: [10, 0, 5], width: 1.6, height: 2.2, yaw_deg: 90, locked: false }],
  });
}
