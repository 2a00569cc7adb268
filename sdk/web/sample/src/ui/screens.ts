/** The cards that stand before the hall: the name form, waiting, and what went wrong. */
import type { Notice } from '../explain.ts';
import { tokenInText } from '../link.ts';
import { bytes, plain } from '../text.ts';
import { el } from './dom.ts';

/** Most bytes of a name, in UTF-8: what the venue takes. */
const NAME_BYTES = 48;

/** Shows one card at a time. */
export class Screens {
  readonly #layer = el('div', { class: 'layer' });

  constructor(parent: HTMLElement) {
    parent.append(this.#layer);
  }

  /** Takes the card away. */
  clear(): void {
    this.#layer.replaceChildren();
    this.#layer.className = 'layer';
  }

  /** Asks who comes. Resolves with the name when they enter; `fixed` is a name that the link gives. */
  askName(venue: string, remembered: string, fixed: string | undefined, note: string): Promise<string> {
    return new Promise((resolve) => {
      const input = el('input', { attrs: {
        type: 'text', name: 'name', maxlength: '40', autocomplete: 'nickname', spellcheck: 'false', placeholder: 'Your name', 'aria-label': 'Your name',
      } });
      input.value = fixed ?? remembered;
      input.readOnly = fixed !== undefined;
      const fault = el('p', { class: 'fault', attrs: { role: 'alert' } });
      const go = el('button', { class: 'primary', text: 'Enter the hall', attrs: { type: 'submit' } });
      const form = el('form', { class: 'row' }, input, go);
      form.addEventListener('submit', (e) => {
        e.preventDefault();
        const name = plain(input.value);
        if (name === '') fault.textContent = 'Write a name: it stands above your head.';
        else if (bytes(name) > NAME_BYTES) fault.textContent = 'The name is too long: take a shorter one.';
        else resolve(name);
      });
      this.#show('welcome',
        el('p', { class: 'eyebrow', text: 'Welcome to' }),
        el('h1', { text: plain(venue) }),
        el('p', { class: 'lead', text: fixed === undefined ? 'What shall the others call you?' : 'Your link says who you are.' }),
        form, fault,
        ...(note === '' ? [] : [el('p', { class: 'note', text: note })]),
        keyHints(),
      );
      input.focus({ preventScroll: true });
      if (fixed === undefined) input.select();
    });
  }

  /** Says that something takes its time; the result changes the text. `cancel` adds a button. */
  wait(title: string, text: string, now?: () => void): (text: string) => void {
    const line = el('p', { class: 'lead', text, attrs: { role: 'status' } });
    const children: Node[] = [el('div', { class: 'spinner', attrs: { 'aria-hidden': 'true' } }), el('h1', { text: title }), line];
    if (now !== undefined) {
      const button = el('button', { text: 'Try now', attrs: { type: 'button' } });
      button.addEventListener('click', now);
      children.push(el('div', { class: 'row' }, button));
    }
    this.#show('waiting', ...children);
    return (next) => {
      line.textContent = next;
    };
  }

  /** Says what went wrong. Resolves with a new token, or undefined when they want to try again. */
  notice(n: Notice): Promise<string | undefined> {
    return new Promise((resolve) => {
      const children: Node[] = [el('h1', { text: n.title }), el('p', { class: 'lead', text: n.text }), el('p', { class: 'todo', text: n.todo })];
      if (n.link) {
        const input = el('input', { attrs: { type: 'text', placeholder: 'Paste a join link', 'aria-label': 'Join link', autocomplete: 'off', spellcheck: 'false' } });
        const fault = el('p', { class: 'fault', attrs: { role: 'alert' } });
        const form = el('form', { class: 'row' }, input, el('button', { class: 'primary', text: 'Join', attrs: { type: 'submit' } }));
        form.addEventListener('submit', (e) => {
          e.preventDefault();
          const token = tokenInText(input.value);
          if (token === undefined) fault.textContent = 'That is no join link: it must have “#token=” in it.';
          else resolve(token);
        });
        children.push(form, fault);
      }
      if (n.again) {
        const button = el('button', { class: 'primary', text: 'Try again', attrs: { type: 'button' } });
        button.addEventListener('click', () => resolve(undefined));
        children.push(el('div', { class: 'row' }, button));
      }
      this.#show('trouble', ...children);
    });
  }

  #show(kind: string, ...children: Node[]): void {
    this.#layer.className = `layer shown ${kind}`;
    this.#layer.replaceChildren(el('main', { class: 'card' }, ...children));
  }
}

/** How one moves, for whoever is about to. */
function keyHints(): HTMLElement {
  const key = (k: string): HTMLElement => el('kbd', { text: k });
  const item = (label: string, ...keys: string[]): HTMLElement => el('li', {}, ...keys.map(key), el('span', { text: label }));
  return el('ul', { class: 'keys' },
    item('walk', 'W', 'A', 'S', 'D'), item('run', 'Shift'), item('look', 'mouse'), item('grab', 'E'), item('left hand', 'Q'), item('use', 'F'), item('figures', 'H'));
}
