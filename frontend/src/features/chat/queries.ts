import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { fetchPlayers } from "@/entities/player/api";
import { fetchRooms, type Room } from "./api";

/** All chat rooms with their member counts, and what is new in those that the player is in. */
export const roomsQuery = queryOptions({
  queryKey: ["chat", "rooms"],
  queryFn: fetchRooms,
  staleTime: 30_000,
});

/** Changes a room of the list at once; the next fetch of the list confirms it. */
export function updateRoom(client: QueryClient, uid: string, change: (room: Room) => Room): void {
  client.setQueryData(roomsQuery.queryKey, (rooms) =>
    rooms?.map((room) => (room.chatRoomUid === uid ? change(room) : room)),
  );
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
