import { useEffect, useState } from "react";
import { serverNow } from "@/lib/clock";
import { onSecond } from "@/lib/ticker";

/** The server's time, renewed each second, in ms since the epoch. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => onSecond(setNow), []);
  return now;
}

/** Longest time without an update while none of the moments comes. */
const AT_LEAST_EVERY_MS = 60_000;

/**
 * The server's time, renewed when the next of these moments has come, and each minute. For content that changes at a
 * countdown's end.
 */
export function useServerNowAfter(moments: readonly Date[]): number {
  const [now, setNow] = useState(serverNow);
  const coming = moments.map((moment) => moment.getTime()).filter((moment) => moment > now);
  const next = Math.min(...coming, now + AT_LEAST_EVERY_MS);
  useEffect(() => {
    const renew = (time: number) => {
      // The time goes back when the phone's clock was found to be ahead.
      if (time >= next || time < now) setNow(time);
    };
    // The moments may have changed to some that have come already.
    renew(serverNow());
    return onSecond(renew);
  }, [next, now]);
  return now;
}
