import { useEffect, useState } from "react";
import { serverNow } from "@/lib/clock";
import { onSecond } from "@/lib/ticker";

/** The server's time, renewed each second, in ms since the epoch. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => onSecond(setNow), []);
  return now;
}

/** Longest time without an update while none of the moments comes: the phone's clock may be corrected meanwhile. */
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      const left = next - serverNow();
      if (left > 0) timer = setTimeout(wait, left);
      else setNow(serverNow());
    };
    wait();
    return () => clearTimeout(timer);
  }, [next]);
  return now;
}
