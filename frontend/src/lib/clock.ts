let ahead = 0;

/** A Date names the second that the reply was begun in. */
const RESOLUTION_MS = 1_000;

/** Learns the server's time from the Date of its reply; what is believed so far stays as long as the two agree. */
export function noteServerTime(date: string | null): void {
  const least = Date.parse(date ?? "") - Date.now();
  if (!Number.isNaN(least)) ahead = Math.min(Math.max(ahead, least), least + RESOLUTION_MS);
}

/**
 * Now, by the server's clock, in ms since the epoch. What the server says of time is true by its clock alone, and a
 * phone whose battery was out may be hours away from it.
 */
export function serverNow(): number {
  return Date.now() + ahead;
}
