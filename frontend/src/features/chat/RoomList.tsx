import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { t } from "@/lib/i18n/i18n";
import { Card } from "@/ui/Card";
import { Listing } from "@/ui/Listing";
import { Skeleton } from "@/ui/Skeleton";
import type { Room } from "./api";
import { roomsQuery } from "./queries";
import { JoinAsked, RoomCards, type RoomLinks } from "./RoomCards";
import styles from "./RoomList.module.css";

/** The boxes of the rooms. */
export function RoomListSkeleton() {
  return (
    <div className={styles.rooms}>
      {[0, 1, 2].map((place) => (
        <Card key={place} className={styles.room}>
          <Skeleton width={52} height={52} radius="50%" />
          <span className={styles.words}>
            <Skeleton width="60%" height={18} radius={8} />
            <Skeleton width="36%" height={14} radius={8} />
          </span>
        </Card>
      ))}
    </div>
  );
}

interface RoomGroupProps extends Pick<RoomLinks, "toRoom"> {
  readonly title: string;
  readonly rooms: readonly Room[];
}

/** Rooms under a heading of their own. Renders nothing without rooms. */
function RoomGroup({ title, rooms, toRoom }: RoomGroupProps) {
  const id = useId();
  if (rooms.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      <RoomCards rooms={rooms} heading="h3" toRoom={toRoom} />
    </section>
  );
}

/** The time of a room's last message; a room without one comes after the others. */
const lastAt = ({ membership }: Room) => Date.parse(membership?.lastMessage?.createdAt ?? "") || 0;

/** The rooms that the player is in, by their last message, and the others. */
function RoomGroups({ rooms, toRoom, onJoined }: RoomLinks & { readonly rooms: readonly Room[] }) {
  const joined = rooms.filter(({ membership }) => membership);
  const others = rooms.filter(({ membership }) => !membership);
  return (
    <>
      {joined.length === 0 ? (
        <RoomCards rooms={others} heading="h2" toRoom={toRoom} />
      ) : (
        <>
          <RoomGroup
            title={t("chat.yours")}
            rooms={joined.sort((one, other) => lastAt(other) - lastAt(one))}
            toRoom={toRoom}
          />
          <RoomGroup title={t("chat.others")} rooms={others} toRoom={toRoom} />
        </>
      )}
      <JoinAsked rooms={rooms} onJoined={onJoined} />
    </>
  );
}

/** All chat rooms, from the gateway. */
export function RoomList(links: RoomLinks) {
  return (
    <Listing
      query={useQuery(roomsQuery)}
      skeleton={<RoomListSkeleton />}
      empty={{ title: t("ui.empty"), text: t("chat.empty"), world: "ajua" }}
    >
      {(rooms) => <RoomGroups rooms={rooms} {...links} />}
    </Listing>
  );
}

/**
 * The rooms about a game. Renders nothing without one, nor while they are unknown: the game can be played without them.
 */
export function GameRooms({ gameId, toRoom, onJoined }: RoomLinks & { readonly gameId: string }) {
  const { data = [] } = useQuery({ ...roomsQuery, meta: { quiet: true } });
  const rooms = data.filter((room) => room.gameId === gameId);
  if (rooms.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="rooms">
      <h2 id="rooms" className={styles.heading}>
        {t("chat.aboutGame")}
      </h2>
      <RoomCards rooms={rooms} heading="h3" toRoom={toRoom} />
      <JoinAsked rooms={rooms} onJoined={onJoined} />
    </section>
  );
}
