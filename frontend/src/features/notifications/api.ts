import * as z from "zod/mini";
import type { MarkRead } from "@/gen/api/markRead";
import { Notification as wireNotification } from "@/gen/api/notification";
import { Unread as unread } from "@/gen/api/unread";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

/** A server that is newer than this window may send kinds that the window does not know. */
const notification = z.extend(wireNotification, { kind: z.string() });

export type Notification = z.infer<typeof notification>;
/** The kinds that this window knows. */
export type NotificationKind = z.infer<typeof wireNotification>["kind"];

export const notificationList = z.array(notification);

export const PAGE_SIZE = 30;
/** The server's limit for one call. */
const MARK_AT_ONCE = 100;

/** A page of the player's notifications, newest first: those before a given one, or the newest. */
export async function fetchNotifications(before?: string): Promise<Notification[]> {
  const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), ...(before ? { before } : {}) });
  return parsePayload(notificationList, await asPlayer(`/profile/notifications?${query}`));
}

/** The number of unread notifications; 100 means 100 or more. */
export async function fetchUnread(): Promise<number> {
  return parsePayload(unread, await asPlayer("/profile/notifications/unread")).unread;
}

/** Marks notifications as read, on all of the player's devices. */
export async function markRead(ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MARK_AT_ONCE) {
    const body: MarkRead = { ids: ids.slice(from, from + MARK_AT_ONCE) };
    await asPlayer("/profile/notifications/read", { method: "POST", body });
  }
}
