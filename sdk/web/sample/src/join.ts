/** Getting in: asking for a name, connecting, and trying again while the host cannot be reached. */
import { connect, type Client, Refused } from '../../src/index.ts';
import { explain, explainFault, isUnreachable, type Notice, pause } from './explain.ts';
import { choices, type Invitation } from './link.ts';
import type { Screens } from './ui/screens.ts';
import { fetchVenue, type Venue } from './venue.ts';

/** A refusal that passes by itself is asked again this often before the visitor is bothered. */
const PATIENCE = 3;

/** Waits, or less if somebody presses the button. */
async function waiting(screens: Screens, title: string, why: string, attempt: number): Promise<void> {
  const until = performance.now() + pause(attempt);
  let now = (): void => undefined;
  const pressed = new Promise<void>((resolve) => {
    now = resolve;
  });
  const left = (): number => Math.ceil((until - performance.now()) / 1000);
  const words = (): string => `${why} Trying again ${left() > 0 ? `in ${left()} s` : 'now'} (attempt ${attempt}).`;
  const show = screens.wait(title, words(), now);
  const tick = setInterval(() => show(words()), 250);
  const timer = new Promise<void>((resolve) => setTimeout(resolve, until - performance.now()));
  await Promise.race([timer, pressed]);
  clearInterval(tick);
}

/** Fetches the venue's description, as often as it takes. */
export async function awaitVenue(screens: Screens, base: string): Promise<Venue> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchVenue(base);
    } catch (e) {
      const why = isUnreachable(e) ? 'The venue cannot be reached.' : `The venue does not answer as it should: ${(e as Error).message}.`;
      await waiting(screens, 'The venue does not answer', why, attempt);
    }
  }
}

/** What came of joining: a client, or what to tell the visitor. */
export type Joined = { readonly client: Client } | { readonly notice: Notice };

/** Connects. Goes on trying while the host cannot be reached; a refusal is explained. */
export async function join(
  screens: Screens, base: string, invitation: Invitation, user: string, name: string,
): Promise<Joined> {
  for (let attempt = 1; ; attempt++) {
    screens.wait('Coming in', attempt === 1 ? 'Setting up the connection…' : `Setting up the connection… (attempt ${attempt})`);
    try {
      const client = await connect({
        url: base, token: invitation.token, predictOwnHead: 0, ...choices(location.search),
        ...(invitation.open ? { user, name } : {}),
      });
      return { client };
    } catch (e) {
      if (e instanceof Refused) {
        const passes = e.retry === 'resume' || (e.retry === 'later' && attempt < PATIENCE);
        if (!passes) return { notice: explain(e) };
        await waiting(screens, explain(e).title, e.message, attempt);
      } else if (isUnreachable(e)) {
        await waiting(screens, 'The venue does not answer', 'The venue cannot be reached.', attempt);
      } else {
        return { notice: explainFault(e) };
      }
    }
  }
}
