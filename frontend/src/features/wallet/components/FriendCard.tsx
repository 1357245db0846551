import "@/ui/worlds.css";
import { Zap } from "lucide-react";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import type { Draft } from "@/features/wallet/draft";
import styles from "./FriendCard.module.css";

interface FriendCardProps {
  readonly draft: Pick<Draft, "friendName" | "friendUsername" | "friendPicture">;
}

/** The friend who gets the money, so that the player sees the name before paying. */
export function FriendCard({ draft }: FriendCardProps) {
  const { friendName, friendUsername, friendPicture } = draft;
  if (!friendUsername) return null;
  const player = { name: friendName ?? friendUsername, profilePic: friendPicture ?? null };
  // The server's name of a player is the username, once the player has one.
  const isNamed = player.name !== friendUsername;
  return (
    <div className={`${styles.friend} textured w-maneno`}>
      <PlayerAvatar player={player} size={44} />
      <span className={styles.words}>
        <strong className={styles.name}>{isNamed ? player.name : `@${friendUsername}`}</strong>
        {isNamed ? <span className={styles.username}>@{friendUsername}</span> : null}
      </span>
      <span className={styles.bolt}>
        <Zap size={20} fill="currentColor" aria-hidden="true" />
      </span>
    </div>
  );
}
