import type { ReactNode } from "react";
import { WorldCard } from "./Card";
import { Duma, type Pose } from "./Duma";
import styles from "./DumaCard.module.css";
import type { World } from "./world";

interface DumaCardProps {
  readonly world: World;
  readonly pose: Pose;
  readonly children: ReactNode;
}

/** The purpose of a screen, in a line or two, with the character beside it. */
export function DumaCard({ world, pose, children }: DumaCardProps) {
  return (
    <WorldCard world={world} className={styles.card}>
      <div className={styles.words}>{children}</div>
      <span className={styles.duma}>
        <Duma pose={pose} size={128} />
      </span>
    </WorldCard>
  );
}
