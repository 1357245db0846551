import { type Notification, PAGE_SIZE } from "./api";

/** The notifications that have been fetched, newest first and without a gap. */
export interface NotificationPages {
  readonly rows: readonly Notification[];
  /** Whether the server may have older ones. */
  readonly hasMore: boolean;
}

/**
 * Returns a list with its newest page fetched again. Older rows stay, unless there would be a gap between the page and
 * them: then they are dropped, to be loaded again on request. Ids sort by time.
 */
export function withNewest(
  list: NotificationPages | undefined,
  newest: readonly Notification[],
): NotificationPages {
  const isFull = newest.length >= PAGE_SIZE;
  const last = newest.at(-1)?.id ?? "";
  const isConnected = (list?.rows[0]?.id ?? "") >= last;
  if (!list || !isFull || !isConnected) return { rows: newest, hasMore: isFull };
  return { rows: [...newest, ...list.rows.filter(({ id }) => id < last)], hasMore: list.hasMore };
}

/** A list in which these notifications are read. */
export function withRead(list: NotificationPages, ids: readonly string[]): NotificationPages {
  return { ...list, rows: list.rows.map((row) => (ids.includes(row.id) ? { ...row, read: true } : row)) };
}

/** A list with the next older page. */
export function withOlder(list: NotificationPages, page: readonly Notification[]): NotificationPages {
  return { rows: [...list.rows, ...page], hasMore: page.length >= PAGE_SIZE };
}
