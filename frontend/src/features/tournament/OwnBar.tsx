import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import { t } from "@/lib/i18n/i18n";
import { usePlayer } from "@/lib/session/useSession";
import { WatchButton } from "./BoardList";
import type { Place } from "./board";
import styles from "./OwnBar.module.css";
import { ordinalText } from "./ordinal";
import { Move, Points } from "./Parts";

interface OwnBarProps {
  readonly own: Place;
  readonly climbed: number;
  /** Whether the own row is off the screen. */
  readonly isShown: boolean;
  readonly isSearching: boolean;
  readonly watching: boolean;
  readonly onJump: () => void;
  readonly onWatch: () => void;
}

/** The player's own place at the bottom of the screen, while its row is not visible. A press scrolls to the row. */
export function OwnBar({ own, climbed, isShown, isSearching, watching, onJump, onWatch }: OwnBarProps) {
  const player = usePlayer();
  const place = t("rank.youAre", { rank: ordinalText(own.rank) });
  return (
    <aside className={styles.bar} data-shown={isShown} aria-label={t("board.yourRank")}>
      {/* Screen readers read the place when it changes, even while the bar is hidden. */}
      <p className="visually-hidden" role="status">
        {place}
      </p>
      <div className={styles.row} inert={!isShown}>
        <button type="button" className={styles.jump} aria-busy={isSearching || undefined} onClick={onJump}>
          <span className={styles.rank}>{t("rank.plain", { rank: own.rank })}</span>
          <span className={styles.face}>
            <PlayerAvatar player={player} size={36} />
          </span>
          <span className={styles.name}>{t("board.you")}</span>
          <Move by={climbed} />
          <span className={styles.points}>
            <Points points={own.points} />
          </span>
          <span className="visually-hidden">{t("board.jump")}</span>
        </button>
        <WatchButton busy={watching} onPress={onWatch} />
      </div>
    </aside>
  );
}
