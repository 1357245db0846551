import { useLayoutEffect, useRef, useState } from "react";
import type { Message } from "./api";
import type { Outgoing } from "./useSend";

/** Closer to the end than this, in px, the list follows new messages. */
const NEAR_END = 120;

/** The functions of the list that the hook uses. */
export interface ListHandle {
  readonly scrollSize: number;
  readonly viewportSize: number;
  scrollToIndex(index: number, options: { align: "end"; smooth?: boolean }): void;
}

interface Rows {
  readonly messages: readonly Message[];
  readonly outgoing: readonly Outgoing[];
  readonly ownId: string;
  /** The number of rows of the list. */
  readonly count: number;
}

/**
 * Keeps the end of a list on the screen: after the player has sent a message, and while the list is near its end.
 * Otherwise counts the messages of others that came since.
 */
export function useFollow<L extends ListHandle>({ messages, outgoing, ownId, count }: Rows) {
  const list = useRef<L>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  /** The newest number that was on the screen. */
  const [seen, setSeen] = useState(0);
  const newest = messages.at(-1)?.seq ?? 0;
  const last = useRef<{ readonly newest: number; readonly sent: ReadonlySet<string> } | null>(null);
  useLayoutEffect(() => {
    const before = last.current;
    const sent = new Set([...(before?.sent ?? []), ...outgoing.map(({ id }) => id)]);
    last.current = { newest, sent };
    // A message may leave this list when it is sent, and come back as a failed one: it counts as sent once.
    const hasSent = before !== null && sent.size > before.sent.size;
    const hasMore = newest > (before?.newest ?? 0) || (before === null && sent.size > 0);
    if (!hasSent && !(hasMore && isAtEnd)) return;
    setSeen(newest);
    list.current?.scrollToIndex(count - 1, { align: "end" });
  }, [newest, outgoing, count, isAtEnd]);

  const onScroll = (offset: number) => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    const isNear = offset + viewportSize >= scrollSize - NEAR_END;
    setAtEnd(isNear);
    if (isNear) setSeen(newest);
  };
  const toEnd = () => list.current?.scrollToIndex(count - 1, { align: "end", smooth: true });
  const unseen = isAtEnd ? 0 : messages.filter(({ seq, userId }) => seq > seen && userId !== ownId).length;
  return { list, unseen, onScroll, toEnd };
}
