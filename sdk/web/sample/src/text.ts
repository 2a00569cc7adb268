/** Names and labels as short, harmless text: they come from other people. */

/** Characters that do not print, or turn the direction of the text around them. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Joiners that emoji and several scripts need: they stay. */
const joiners = /[\u200c\u200d]/u;

/** A text without control characters and with single spaces. */
export function plain(text: string): string {
  return text
    .replace(unprintable, (c) => (joiners.test(c) ? c : ' '))
    .replace(/\s+/gu, ' ')
    .trim();
}

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * A text of at most `most` letters as people count them (an accented letter or an emoji is one), with an ellipsis
 * where it was cut.
 */
export function cut(text: string, most: number): string {
  const clean = plain(text);
  const letters: string[] = [];
  for (const { segment } of segments.segment(clean)) {
    if (letters.length === most) return `${letters.slice(0, most - 1).join('').trimEnd()}…`;
    letters.push(segment);
  }
  return letters.join('');
}

/**
 * A text that is no wider than `most`, by what `width` says of a text: letters are taken from its end until it
 * fits, and an ellipsis stands for them.
 */
export function fit(text: string, most: number, width: (text: string) => number): string {
  const clean = plain(text);
  if (width(clean) <= most) return clean;
  const letters = Array.from(segments.segment(clean), (s) => s.segment);
  let low = 0;
  let high = letters.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (width(`${letters.slice(0, middle).join('').trimEnd()}…`) <= most) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join('').trimEnd()}…`;
}

/** The bytes that a text has in UTF-8. */
export function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
