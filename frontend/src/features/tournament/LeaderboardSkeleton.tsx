import { t } from "@/lib/i18n/i18n";
import { Skeleton } from "@/ui/Skeleton";
import { AwardsSkeleton } from "./Awards";
import { BoardHead } from "./BoardHead";
import styles from "./Leaderboard.module.css";

/** The boxes of the podium. */
export function PodiumSkeleton() {
  return (
    <div className={styles.podiumBox} role="status" aria-label={t("ui.loading")}>
      {([96, 116, 82] as const).map((height) => (
        <span key={height} className={styles.step} style={{ height }} />
      ))}
    </div>
  );
}

/** The boxes of the first places. */
export function BoardRows() {
  return (
    <div className={styles.rows}>
      {["one", "two", "three", "four"].map((row) => (
        <Skeleton key={row} height={56} radius={16} />
      ))}
    </div>
  );
}

/** A board whose tournament is not known yet. */
export function BoardSkeleton({ onBack }: { readonly onBack: () => void }) {
  return (
    <div className={`${styles.screen} w-dash`}>
      <main className={styles.main}>
        <div className={`${styles.stage} textured`}>
          <BoardHead title={t("board.title")} onBack={onBack} />
          <div className={styles.hero}>
            <div className={styles.facts} />
          </div>
          <PodiumSkeleton />
        </div>
        <div className={styles.below}>
          <AwardsSkeleton />
          <BoardRows />
        </div>
      </main>
    </div>
  );
}
