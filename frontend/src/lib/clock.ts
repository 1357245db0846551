let ahead = 0;

/** Learns the server's time from the Date of its reply. */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? "");
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/**
 * Now, by the server's clock, in ms since the epoch. What the server says of time is true by its clock alone, and a
 * phone whose battery was out may be hours away from it.
 */
export function serverNow(): number {
  return Date.now() + ahead;
}
