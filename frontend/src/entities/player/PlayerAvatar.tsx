import { playerName, type ShownPlayer } from "@/entities/player/model";
import { Avatar } from "@/ui/Avatar";

interface PlayerAvatarProps {
  /** Null until the profile has loaded. */
  readonly player: ShownPlayer | null;
  readonly size: number;
}

/** A player's picture, or the first letter of the name. */
export function PlayerAvatar({ player, size }: PlayerAvatarProps) {
  return <Avatar src={player?.profilePic ?? null} name={playerName(player)} size={size} />;
}
