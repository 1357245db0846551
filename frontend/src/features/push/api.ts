import * as z from "zod/mini";
import type { DeviceToken } from "@/gen/api/deviceToken";
import { NotificationSettings as wireSettings } from "@/gen/api/notificationSettings";
import { PushKey as pushKey } from "@/gen/api/pushKey";
import type { UpdateSettings } from "@/gen/api/updateSettings";
import { asGuest, asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

/** Topics of a server that is newer than this window stay muted when it saves. */
const notificationSettings = z.extend(wireSettings, { muted: z.array(z.string()) });

export type NotificationSettings = z.infer<typeof notificationSettings>;
/** The topics that this window knows. */
export type Topic = z.infer<typeof wireSettings>["muted"][number];

/** The key that this browser subscribes with; empty when the server pushes nothing. */
export async function fetchPushKey(): Promise<string> {
  return parsePayload(pushKey, await asGuest("/profile/push-key")).publicKey;
}

/** Stores this browser's subscription for the player, or refreshes it. */
export async function registerToken(deviceToken: string): Promise<void> {
  const body: DeviceToken = { deviceToken };
  await asPlayer("/profile/device-token", { method: "POST", body });
}

export async function removeToken(deviceToken: string): Promise<void> {
  const body: DeviceToken = { deviceToken };
  await asPlayer("/profile/device-token/remove", { method: "POST", body });
}

export async function fetchSettings(): Promise<NotificationSettings> {
  return parsePayload(notificationSettings, await asPlayer("/profile/notification-settings"));
}

export async function saveSettings({ muted, quietFrom, quietUntil }: NotificationSettings): Promise<void> {
  const hours = quietFrom && quietUntil ? { quietFrom, quietUntil } : {};
  const body: UpdateSettings = { muted: [...muted], ...hours };
  await asPlayer("/profile/notification-settings", { method: "POST", body });
}
