/** Colours of the hall, in one place. */
import { Color } from 'three';

/** Colours by what they are for. */
export const palette = {
  skyTop: '#c9d9ec',
  skyLow: '#f3f1ec',
  floor: '#cdc9c1',
  gridFine: '#c2c4c6',
  gridBold: '#9fa6b0',
  wall: '#f3efe8',
  base: '#b9bfca',
  beam: '#dfcdb0',
  doorFrame: '#5a6788',
  sign: '#33405f',
  doorLeaf: '#9cc4d8',
  doorLocked: '#d98c8c',
  highlight: '#2f6bff',
  held: '#18a06a',
  ink: '#1f2840',
  visor: '#1c2233',
} as const;

const people = [
  '#e4572e', '#2e86ab', '#5b8c5a', '#a23b72', '#f0a202', '#4f5bd5',
  '#14a3a0', '#c8553d', '#7b4fb5', '#d1495b', '#3a7d44', '#0077b6',
];

/** The colour of a person, from the id of their avatar: the same on every screen. */
export function personColour(id: string): Color {
  let h = 2166136261;
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619);
  return new Color(people[(h >>> 0) % people.length] ?? palette.ink);
}

const rooms = ['#7f97c9', '#c9916b', '#7fae8c', '#b58bb8', '#c2a55c', '#6fa9b5'];

/** The accent of a room, by its place in the venue's list. */
export function roomColour(index: number): Color {
  return new Color(rooms[index % rooms.length] ?? palette.base);
}

/** A colour from the venue, or a neutral one if it cannot be read. */
export function safeColour(text: string): Color {
  return new Color(/^#[0-9a-f]{6}$/i.test(text) ? text : '#8888aa');
}
