import type { FormEvent } from "react";

/**
 * Returns the beginning of a text with at most so many characters. The server counts code points; an emoji has one, or
 * a few, and twice as many units in JavaScript.
 */
export function limited(text: string, most: number): string {
  if (text.length <= most) return text;
  return Array.from(text).slice(0, most).join("");
}

/**
 * Returns a field's text after a change, within a number of characters. A full field accepts nothing more, wherever it
 * is typed.
 */
export function within(before: string, after: string, most: number): string {
  const kept = limited(after, most);
  return kept !== after && limited(before, most - 1) !== before ? before : kept;
}

/** Limits a field to a number of characters while it is typed in. */
export function keepWithin(most: number) {
  return ({ currentTarget }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const kept = limited(currentTarget.value, most);
    if (kept !== currentTarget.value) currentTarget.value = kept;
  };
}
