/** Building the page's elements. Text is always text: nothing here takes markup. */

/** What an element is made with. */
export interface Props {
  readonly class?: string;
  readonly text?: string;
  readonly attrs?: Readonly<Record<string, string>>;
}

/** Makes an element with children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  if (props.class !== undefined) e.className = props.class;
  if (props.text !== undefined) e.textContent = props.text;
  for (const [name, value] of Object.entries(props.attrs ?? {})) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

/** Sets an element's text if it is another: the browser lays out nothing in vain. */
export function say(e: HTMLElement, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}
