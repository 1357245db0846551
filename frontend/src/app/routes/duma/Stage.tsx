import type { ReactNode } from "react";
import { Duma, type Pose } from "./Duma";
import styles from "./Stage.module.css";

interface StageProps {
  readonly pose: Pose;
  readonly world: "ajua" | "maneno" | "dash";
  readonly title: string;
  readonly text?: string;
  /** A back arrow over the picture. */
  readonly back?: ReactNode;
  /** Buttons within thumb reach. */
  readonly children?: ReactNode;
}

/** A whole page with one message: the character on a world's ground, a line of what happened, and what to do. */
export function Stage({ pose, world, title, text, back, children }: StageProps) {
  return (
    <main className={styles.page} data-world={world}>
      <div className={styles.show}>
        {back}
        <span className={styles.duma}>
          <Duma pose={pose} size={300} />
        </span>
      </div>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {text ? <p className={styles.text}>{text}</p> : null}
      </div>
      {children ? <div className={styles.dock}>{children}</div> : null}
    </main>
  );
}
