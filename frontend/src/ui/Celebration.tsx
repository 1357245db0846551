import { type ReactNode, useEffect, useState } from "react";
import styles from "./Celebration.module.css";
import { Stage, StagePage } from "./Stage";
import type { World } from "./world";

const PIECES = 56;
const COUNT_MS = 800;
const VIBRATION_MS = 10;

function motionReduced(): boolean {
  return typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A number from 0 to `value` in 800 ms, slower towards the end; at once under reduced motion. */
function useCountUp(value: number, still: boolean): number {
  const [shown, setShown] = useState(still ? value : 0);
  useEffect(() => {
    if (still) return setShown(value);
    let frame = 0;
    let start: number | null = null;
    const step = (time: number) => {
      start ??= time;
      const part = Math.min(1, (time - start) / COUNT_MS);
      setShown(part === 1 ? value : value * (1 - (1 - part) ** 3));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [value, still]);
  return shown;
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
  /** The number that counts up above the title. */
  readonly value?: number;
  readonly format?: (value: number) => string;
  readonly title: string;
  readonly text?: ReactNode;
  /** Whether the celebration is a page of its own, with buttons within thumb reach, instead of a part of a screen. */
  readonly page?: boolean;
  readonly children?: ReactNode;
}

/** Celebrates something won or done: the duma cheers, confetti falls once, the number counts up. */
export function Celebration({ value, format = String, page = false, children, ...scene }: CelebrationProps) {
  const [still] = useState(motionReduced);
  const shown = useCountUp(value ?? 0, still);
  useEffect(() => {
    // Browsers refuse vibration on a page that was not tapped yet.
    if (!still && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
  }, [still]);
  const number =
    value === undefined ? null : (
      <p className={styles.number}>
        {/* Screen readers read only the final number, once. */}
        <span aria-hidden="true">{format(shown)}</span>
        <span className="visually-hidden">{format(value)}</span>
      </p>
    );
  const cheer = { ...scene, pose: "cheer", behind: <Party still={still} />, lead: number } as const;
  return (
    <div className={styles.celebration}>
      {page ? <StagePage {...cheer}>{children}</StagePage> : <Stage {...cheer} action={children} />}
    </div>
  );
}
