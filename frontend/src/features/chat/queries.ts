import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { fetchPlayers } from "@/entities/player/api";
import { fetchRooms, type Room } from "./api";

/** All chat rooms with their member counts, and what is new in those that the player is in. */
export const roomsQuery = queryOptions({
  queryKey: ["chat", "rooms"],
  queryFn: fetchRooms,
  staleTime: 30_000,
});

/** Changes a room of the list at once. The list stays as old as it is, so that its next fetch confirms the change. */
export function updateRoom(client: QueryClient, uid: string, change: (room: Room) => Room): void {
  client.setQueryData(
    roomsQuery.queryKey,
    (rooms) => rooms?.map((room) => (room.chatRoomUid === uid ? change(room) : room)),
    { updatedAt: client.getQueryState(roomsQuery.queryKey)?.dataUpdatedAt ?? 0 },
  );
}

/** Records that the player has joined a room (with nothing unread) or left it. */
export async function setMembership(client: QueryClient, uid: string, isMember: boolean): Promise<void> {
  // A reply on its way may be older than the change.
  await client.cancelQueries({ queryKey: roomsQuery.queryKey });
  const membership = isMember ? { unreadCount: 0, lastMessage: null } : null;
  updateRoom(client, uid, (room) => ({ ...room, membership }));
}

/** The profiles of the writers, by one call for all of them. `ids` are sorted. */
export const writersQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["chat", "writers", ids],
    queryFn: () => fetchPlayers(ids),
    staleTime: 10 * 60_000,
    // The known names stay while those of newer writers are fetched.
    placeholderData: (known) => known,
  });
