import { Play } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { t } from "@/lib/i18n/i18n";
import { Avatar } from "@/ui/Avatar";
import type { BoardEntry } from "./api";
import styles from "./BoardList.module.css";
import { nameOf } from "./board";
import { Points } from "./Parts";

const MOVE_MS = 250;

/** Animates rows that changed their places. The places are those within the list, so that only moves of rows count. */
function useSlidingRows() {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const now = new Map<string, number>();
    const isStill = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? true;
    for (const row of list.current?.children ?? []) {
      if (!(row instanceof HTMLElement)) continue;
      const id = row.dataset.player ?? "";
      const top = row.offsetTop;
      const was = before.current.get(id);
      if (!isStill && was !== undefined && was !== top) {
        row.animate([{ transform: `translateY(${was - top}px)` }, { transform: "none" }], {
          duration: MOVE_MS,
          easing: "cubic-bezier(0.2, 0.8, 0.2, 1)",
        });
      }
      now.set(id, top);
    }
    before.current = now;
  });
  return list;
}

interface BoardListProps {
  readonly entries: readonly BoardEntry[];
  readonly label: string;
  readonly ownId: string | undefined;
  readonly watching: string | undefined;
  readonly onWatch: (userId: string) => void;
  /** Gets the element of the player's own row, to observe whether it is on the screen. */
  readonly ownRef: (element: HTMLElement | null) => void;
}

/** Places of the board with picture, name and points. The player's own run can be watched at any time. */
export function BoardList({ entries, label, ownId, watching, onWatch, ownRef }: BoardListProps) {
  const list = useSlidingRows();
  return (
    <ol ref={list} className={styles.list} aria-label={label}>
      {entries.map((entry) => {
        const isOwn = entry.userId === ownId;
        return (
          <li
            key={entry.userId}
            ref={isOwn ? ownRef : undefined}
            className={`${styles.entry} ${isOwn ? styles.own : ""}`}
            data-player={entry.userId}
            tabIndex={isOwn ? -1 : undefined}
          >
            <EntryContent entry={entry} isOwn={isOwn} />
            {isOwn ? (
              <WatchButton busy={watching === entry.userId} onPress={() => onWatch(entry.userId)} />
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

interface WatchButtonProps {
  readonly busy: boolean;
  readonly onPress: () => void;
}

/** Opens the player's own run. */
export function WatchButton({ busy, onPress }: WatchButtonProps) {
  return (
    <button
      type="button"
      className={styles.watch}
      aria-label={t("board.watchMine")}
      aria-busy={busy || undefined}
      onClick={() => busy || onPress()}
    >
      <Play size={18} fill="currentColor" aria-hidden="true" />
    </button>
  );
}

interface EntryProps {
  readonly entry: Pick<BoardEntry, "rank" | "username" | "former" | "profilePic" | "points">;
  readonly isOwn: boolean;
}

function EntryContent({ entry, isOwn }: EntryProps) {
  const { rank, profilePic, points } = entry;
  const name = nameOf(entry);
  return (
    <>
      <span className={styles.rank}>{t("rank.plain", { rank })}</span>
      <Avatar src={profilePic} name={name} size={36} />
      <span className={styles.name}>{isOwn ? t("board.you") : name}</span>
      <span className={styles.points}>
        <Points points={points} />
      </span>
    </>
  );
}
