/** The page: from the link to the hall. */
import type { Client, Refused } from '../../src/index.ts';
import { expose } from './debug.ts';
import { explain, noGraphics, noLink } from './explain.ts';
import { awaitVenue, join } from './join.ts';
import { type Invitation, readToken, tokenIn } from './link.ts';
import { preview } from './preview.ts';
import { drawing, View } from './scene/view.ts';
import { el } from './ui/dom.ts';
import { Screens } from './ui/screens.ts';
import { recall, remember } from './memory.ts';
import type { Venue } from './venue.ts';
import { Visit } from './visit.ts';

/** Takes the token out of the address bar: it is a secret, and addresses are copied and shown. */
function takeToken(): string | undefined {
  const token = tokenIn(location.hash);
  if (token === undefined) return recall('token', sessionStorage);
  remember('token', token, sessionStorage);
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Who this tab is to a venue that lets people choose. */
function tabUser(): string {
  const known = recall('user', sessionStorage);
  if (known !== undefined) return known;
  const fresh = `web-${Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(16).padStart(2, '0')).join('')}`;
  remember('user', fresh, sessionStorage);
  return fresh;
}

/** Asks for a link until there is one. */
async function invitationOf(screens: Screens, token: string | undefined): Promise<Invitation> {
  let given = token;
  while (given === undefined) given = await screens.notice(noLink);
  return readToken(given);
}

/** A browser without WebRTC can come, over a slower lane: it is told. */
function note(): string {
  return 'RTCPeerConnection' in window ? '' : 'This browser has no WebRTC: you come in over the slower WebSocket lane, and see others a little later.';
}

async function stay(view: View, venue: Venue, client: Client, page: HTMLElement): Promise<Refused | null> {
  const visit = new Visit(view, venue, client, page);
  expose(view, venue, client, visit);
  const refused = await visit.over;
  visit.remove();
  expose(view, venue);
  return refused;
}

async function run(): Promise<void> {
  const page = document.body;
  const canvas = el('canvas', { class: 'hall', attrs: { tabindex: '0', 'aria-label': 'The hall' } });
  page.append(canvas);
  const screens = new Screens(page);
  const by = drawing();
  if (by === 'none') {
    await screens.notice(noGraphics);
    location.reload();
    return;
  }
  let token = takeToken();
  addEventListener('hashchange', () => {
    // Another link was opened in this tab.
    if (takeToken() !== undefined) location.reload();
  });
  const base = location.origin;
  const venue = await awaitVenue(screens, base);
  document.title = venue.name;
  document.documentElement.classList.toggle('lean', by === 'software');
  const view = new View(canvas, venue, by === 'software');
  expose(view, venue);
  let name: string | undefined;
  for (;;) {
    preview(view, venue);
    const invitation = await invitationOf(screens, token);
    token = invitation.token;
    remember('token', token, sessionStorage);
    if (name === undefined) {
      const fixed = invitation.open ? undefined : (invitation.name ?? '');
      name = await screens.askName(venue.name, recall('name', localStorage) ?? '', fixed, note());
      if (invitation.open) remember('name', name, localStorage);
    }
    const joined = await join(screens, base, invitation, tabUser(), name);
    if ('notice' in joined) {
      token = (await screens.notice(joined.notice)) ?? token;
      continue;
    }
    screens.clear();
    const refused = await stay(view, venue, joined.client, page);
    preview(view, venue);
    if (refused === null) return;
    token = (await screens.notice(explain(refused))) ?? token;
  }
}

void run();
