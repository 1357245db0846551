import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sendingQuery } from "./queries";

/** The codes of refusals whose text says what to do. A repeat of the message is refused again. */
export const SENDING_REFUSALS: ReadonlySet<string> = new Set([
  "MUTED",
  "ON_A_BREAK",
  "ROOM_CLOSED",
  "SLOW_MODE",
  "WORD_NOT_ALLOWED",
]);

/** The composer's notice, and whether the composer accepts a message. */
export interface Sending {
  readonly isClosed: boolean;
  /** Seconds for which an operator muted the player. */
  readonly muted: number;
  /** Seconds until slow mode lets the player send. */
  readonly wait: number;
  /** Seconds between two messages; 0 without slow mode. */
  readonly slowMode: number;
  /** Reads the rules again: after a message, and after a refusal. */
  readonly refresh: () => void;
}

/**
 * What the player may send in a room now, updated each second. While the rules are not known, everything is allowed.
 */
export function useSending(uid: string): Sending {
  const client = useQueryClient();
  const { data } = useQuery(sendingQuery(uid));
  const [now, setNow] = useState(Date.now);
  const left = (seconds: number) =>
    data ? Math.max(0, Math.ceil(seconds - Math.max(0, now - data.readAt) / 1000)) : 0;
  const muted = left(data?.mutedSeconds ?? 0);
  const wait = left(data?.waitSeconds ?? 0);
  const isCounting = muted > 0 || wait > 0;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return {
    isClosed: data?.closed ?? false,
    muted,
    wait,
    slowMode: data?.slowModeSeconds ?? 0,
    refresh: () => void client.invalidateQueries({ queryKey: sendingQuery(uid).queryKey }),
  };
}
