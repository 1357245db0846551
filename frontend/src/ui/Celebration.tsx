import { type ReactNode, useEffect, useState } from "react";
import styles from "./Celebration.module.css";
import { Stage, StagePage } from "./Stage";
import type { World } from "./world";

const PIECES = 56;
const VIBRATION_MS = 10;

function motionReduced(): boolean {
  return typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Scattered evenly by two irrational steps, so that no two renders differ. */
const pieces = Array.from({ length: PIECES }, (_, index) => ({
  left: `${((index * 0.569_84) % 1) * 100}%`,
  top: `${((index * 0.754_878 + 0.2) % 1) * 100}%`,
  animationDelay: `${(index % 7) * 60}ms`,
}));

/** The rays behind the character, and the confetti that falls through them once. */
function Party({ still }: { readonly still: boolean }) {
  return (
    <span className={styles.party} aria-hidden="true">
      <span className={styles.rays} />
      {still
        ? null
        : pieces.map((style, index) => (
            <i key={style.left} style={style} data-shape={(index + (index >> 2)) % 4} />
          ))}
    </span>
  );
}

interface CelebrationProps {
  readonly world: World;
  /** What was won or paid, above the title. The first frame has it: no player must read an amount as zero. */
  readonly figure?: string;
  readonly title: string;
  readonly text?: ReactNode;
  /** Whether the celebration is a page of its own, with buttons within thumb reach, instead of a part of a screen. */
  readonly page?: boolean;
  readonly children?: ReactNode;
}

/** Celebrates something won or done: the duma cheers, confetti falls once, and the figure moves in. */
export function Celebration({ figure, page = false, children, ...scene }: CelebrationProps) {
  const [still] = useState(motionReduced);
  useEffect(() => {
    // Browsers refuse vibration on a page that was not tapped yet.
    if (!still && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
  }, [still]);
  const lead = figure ? <p className={styles.figure}>{figure}</p> : null;
  const cheer = { ...scene, pose: "cheer", behind: <Party still={still} />, lead } as const;
  return (
    <div className={styles.celebration}>
      {page ? <StagePage {...cheer}>{children}</StagePage> : <Stage {...cheer} action={children} />}
    </div>
  );
}
