/** What went wrong, in words for a visitor: what it is, and what to do. Pure. */

/** A page that stands in the way, and how to get past it. */
export interface Notice {
  readonly title: string;
  /** What is wrong. */
  readonly text: string;
  /** What to do about it. */
  readonly todo: string;
  /** A button that tries again makes sense. */
  readonly again: boolean;
  /** Another join link is what helps. */
  readonly link: boolean;
}

/** A refusal of the venue, as far as it is to be explained. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
}

/** Explains why the venue did not let somebody in, or ended their stay. */
export function explain(refusal: Refusal): Notice {
  const { name, message } = refusal;
  const notice = (title: string, todo: string, more: Partial<Notice> = {}): Notice => ({
    title, text: message, todo, again: false, link: false, ...more,
  });
  switch (name) {
    case 'token_expired':
      return notice('This link has expired', 'Ask whoever invited you for a new link, and open that or paste it here.', { link: true });
    case 'token_invalid':
      return notice('This link does not work', 'It may be cut short, or good for one visit only and used. Ask for a new link, and open that or paste it here.', { link: true });
    case 'wrong_venue':
      return notice('This link is for another venue', 'Open the whole link as you got it, or paste one for this venue here.', { link: true });
    case 'session_unknown':
      return notice('You were away for too long', 'Your place was given up. Enter again.', { again: true });
    case 'venue_full':
      return notice('The venue is full', 'Try again when somebody has left.', { again: true });
    case 'too_many_pending':
      return notice('Too many are coming in at once', 'Wait a moment, and try again.', { again: true });
    case 'unreachable':
      return notice('The venue does not answer', 'Check the network. If it works, the venue may be closed: ask whoever invited you.', { again: true });
    case 'unavailable':
    case 'server_shutdown':
      return notice('The venue is closed at the moment', 'Try again in a minute. If it stays closed, tell its operator.', { again: true });
    case 'replaced':
      return notice('You are here in another window', 'Go on there, or enter again here: the other window then stops.', { again: true });
    case 'kicked':
      return notice('You were asked to leave', 'An operator of the venue ended your visit. Ask them if you think it was a mistake.');
    case 'version_unsupported':
    case 'bad_version':
      return notice('The page and the venue differ in their version', 'Load the page again. If that does not help, the venue must be updated: tell its operator.', { again: true });
    case 'protocol_violation':
    case 'event_flood':
      return notice('The venue ended the visit', 'Load the page again. If it happens again, tell the venue’s operator what you did.', { again: true });
    case 'connection_lost':
    case 'slow_consumer':
    case 'setup_timeout':
      return notice('The connection did not come up', 'Check the network; a firewall may be in the way. Then try again.', { again: true });
    default:
      return notice('Joining did not work', 'Try again. If it happens again, tell the venue’s operator.', { again: true });
  }
}

/** Explains a failure that is not the venue's word: something of the browser or the network. */
export function explainFault(fault: unknown): Notice {
  const text = fault instanceof Error ? fault.message : String(fault);
  return { title: 'Joining did not work', text, todo: 'Load the page again. If it happens again, tell the venue’s operator.', again: true, link: false };
}

/** What to say of a browser that cannot draw the hall. */
export const noGraphics: Notice = {
  title: 'This browser cannot draw the hall',
  text: 'The page needs WebGL 2, and the browser does not give it.',
  todo: 'Switch hardware acceleration on in the browser’s settings, or open the link in a current Chrome, Edge, Firefox or Safari.',
  again: true,
  link: false,
};

/** What to say when there is no token. */
export const noLink: Notice = {
  title: 'You need a join link',
  text: 'The address has no token in it: it is the part after “#token=”.',
  todo: 'Open the whole link as you got it, or paste it here. The host prints one when it starts.',
  again: false,
  link: true,
};

/** Says whether what `fetch` or a connection threw means that the host cannot be reached: worth trying again. */
export function isUnreachable(fault: unknown): boolean {
  return fault instanceof TypeError || (fault instanceof Error && ['NetworkError', 'TimeoutError', 'AbortError'].includes(fault.name));
}

/** How long to wait before an attempt, milliseconds: longer each time, at most 15 s, never in step with others. */
export function pause(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(15_000, 1000 * 1.7 ** Math.max(0, attempt - 1));
  return Math.round(most * (0.6 + 0.4 * random()));
}

/** The words for a decision against a grab or a use. */
export function denial(outcome: { readonly name?: string; readonly message?: string }): string {
  switch (outcome.name) {
    case 'denied_held':
      return 'Somebody else holds it.';
    case 'denied_reach':
      return 'Too far away: step closer.';
    case 'rate_limited':
      return 'Too fast: wait a moment.';
    case 'denied_unanswered':
    case 'denied_fault':
    case 'denied_quarantine':
      return `${outcome.message ?? 'The venue’s rule does not answer.'} Tell the venue’s operator.`;
    default:
      return outcome.message ?? 'The venue said no.';
  }
}
