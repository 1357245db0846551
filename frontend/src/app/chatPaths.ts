// These paths are not in `paths.ts`, which is part of the first view.
import { paths } from "@/app/paths";

export const chatPaths = { room: `${paths.chatRooms}/:id` } as const;

export function roomPath(uid: string): string {
  return chatPaths.room.replace(":id", encodeURIComponent(uid));
}
