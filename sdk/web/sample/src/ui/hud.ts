/** What lies over the picture during a visit: where one is, what a hand could do, what just happened. */
import { plain } from '../text.ts';
import { el, say } from './dom.ts';

/** How long a passing message stays, milliseconds. */
const PASSING_MS = 3200;

/** The frame around the picture. */
export class Hud {
  readonly root = el('div', { class: 'hud' });
  readonly buttons = el('div', { class: 'buttons' });
  readonly #people = el('span', { class: 'people' });
  readonly #lane = el('span', { class: 'lane' });
  readonly #cross = el('div', { class: 'cross' });
  readonly #hint = el('div', { class: 'hint', attrs: { 'aria-live': 'polite' } });
  readonly #passing = el('div', { class: 'passing', attrs: { role: 'status' } });
  readonly #banner = el('div', { class: 'banner', attrs: { role: 'alert' } });
  #passingEnds: ReturnType<typeof setTimeout> | undefined;

  constructor(parent: HTMLElement, venue: string) {
    const title = el('header', { class: 'where' }, el('strong', { text: plain(venue) }), this.#people, this.#lane);
    this.#hint.hidden = this.#banner.hidden = this.#passing.hidden = this.#lane.hidden = true;
    this.root.append(title, this.#cross, this.#hint, this.#passing, this.#banner, this.buttons);
    parent.append(this.root);
  }

  /** How many are in sight, and a word on a lane that is slower. */
  where(people: number, slow: boolean): void {
    say(this.#people, people === 1 ? '1 person near you' : `${people} people near you`);
    this.#lane.hidden = !slow;
    say(this.#lane, slow ? 'Over the slower WebSocket lane' : '');
  }

  /** What a hand could do now; '' for nothing. `near` says that it is within reach. */
  hint(key: string, text: string, near: boolean): void {
    this.#hint.hidden = text === '';
    this.#cross.classList.toggle('near', near);
    if (text === '') return;
    const shown = `${key}\n${text}`;
    if (this.#hint.dataset['shown'] === shown) return;
    this.#hint.dataset['shown'] = shown;
    this.#hint.replaceChildren(...(key === '' ? [] : [el('kbd', { text: key })]), el('span', { text }));
  }

  /** Says something that passes. */
  pass(text: string): void {
    clearTimeout(this.#passingEnds);
    this.#passing.textContent = plain(text);
    this.#passing.hidden = false;
    this.#passingEnds = setTimeout(() => {
      this.#passing.hidden = true;
    }, PASSING_MS);
  }

  /** Says something that stays until it is '' again. */
  banner(text: string): void {
    this.#banner.hidden = text === '';
    say(this.#banner, text);
  }

  /** Adds a button at the edge. */
  button(text: string, name: string, press: () => void): HTMLButtonElement {
    const b = el('button', { text, attrs: { type: 'button', name } });
    b.addEventListener('click', press);
    this.buttons.append(b);
    return b;
  }

  /** Takes the frame away. */
  remove(): void {
    clearTimeout(this.#passingEnds);
    this.root.remove();
  }
}
