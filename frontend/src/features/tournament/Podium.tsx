import { Play } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { Avatar } from "@/ui/Avatar";
import bronze from "@/ui/art/medal-bronze.svg";
import gold from "@/ui/art/medal-gold.svg";
import silver from "@/ui/art/medal-silver.svg";
import type { BoardEntry } from "./api";
import { nameOf } from "./board";
import { Points } from "./Parts";
import styles from "./Podium.module.css";

const medals = [gold, silver, bronze] as const;
const steps = ["first", "second", "third"] as const;

interface PodiumProps {
  /** The first three; null for an open place. */
  readonly places: readonly (BoardEntry | null)[];
  readonly ownId: string | undefined;
  readonly canWatch: (entry: BoardEntry) => boolean;
  readonly watching: string | undefined;
  readonly onWatch: (userId: string) => void;
  /** Gets the element of the player's own place, to observe whether it is on the screen. */
  readonly ownRef: (element: HTMLElement | null) => void;
}

/** The first three, who rise third, second, first. */
export function Podium({ places, ownId, canWatch, watching, onWatch, ownRef }: PodiumProps) {
  return (
    <ol className={styles.podium}>
      {places.map((entry, index) => (
        <li
          // The key changes with the player, so that another player's column rises anew.
          key={entry?.userId ?? `open-${index + 1}`}
          ref={entry && entry.userId === ownId ? ownRef : undefined}
          className={`${styles.place} ${styles[steps[index] ?? "third"]}`}
          tabIndex={entry && entry.userId === ownId ? -1 : undefined}
        >
          {entry ? (
            <Step
              entry={entry}
              index={index}
              isOwn={entry.userId === ownId}
              busy={watching === entry.userId}
              onWatch={canWatch(entry) ? onWatch : undefined}
            />
          ) : (
            <OpenStep rank={index + 1} />
          )}
        </li>
      ))}
    </ol>
  );
}

interface StepProps {
  readonly entry: BoardEntry;
  readonly index: number;
  readonly isOwn: boolean;
  readonly busy: boolean;
  readonly onWatch: ((userId: string) => void) | undefined;
}

function Step({ entry, index, isOwn, busy, onWatch }: StepProps) {
  const name = nameOf(entry);
  return (
    <>
      <span className={styles.face}>
        {index === 0 ? <Crown /> : null}
        <span className={styles.ring}>
          <Avatar src={entry.profilePic} name={name} size={index === 0 ? 80 : 60} />
        </span>
        <img className={styles.medal} src={medals[index]} alt="" width={30} height={30} />
      </span>
      <span className={styles.name}>
        <span className="visually-hidden">{t("board.place", { rank: entry.rank })} </span>
        {isOwn ? t("board.you") : name}
      </span>
      <span className={styles.points}>
        <Points points={entry.points} />
      </span>
      {onWatch ? (
        <button
          type="button"
          className={styles.box}
          aria-busy={busy || undefined}
          onClick={() => busy || onWatch(entry.userId)}
        >
          <span aria-hidden="true">{index + 1}</span>
          <span className={styles.watch} aria-hidden="true">
            <Play size={14} fill="currentColor" />
            {t("board.watch")}
          </span>
          <span className="visually-hidden">
            {isOwn ? t("board.watchMine") : t("board.watchOf", { name })}
          </span>
        </button>
      ) : (
        <span className={styles.box} aria-hidden="true">
          {index + 1}
        </span>
      )}
    </>
  );
}

/** A place that can still be taken. */
function OpenStep({ rank }: { readonly rank: number }) {
  return (
    <>
      <span className={styles.face}>
        <span className={`${styles.ring} ${styles.open}`} />
      </span>
      <span className={styles.name}>
        <span className="visually-hidden">{t("board.place", { rank })} </span>
        {t("board.open")}
      </span>
      <span className={styles.box} aria-hidden="true">
        {rank}
      </span>
    </>
  );
}

function Crown() {
  return (
    <svg className={styles.crown} viewBox="0 0 32 24" width="32" height="24" aria-hidden="true">
      <path d="M3 6.5 9.6 11 16 2l6.4 9L29 6.5 26 20H6Z" />
      <path d="M6 22h20" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
