import "@/ui/worlds.css";
import type { ReactNode } from "react";
import { Duma, type Pose } from "@/ui/Duma";
import type { World } from "@/ui/Stage";
import styles from "./stage-page.module.css";

interface StagePageProps {
  readonly pose: Pose;
  readonly world: World;
  readonly title: string;
  readonly text?: string;
  /** Buttons within thumb reach. */
  readonly children?: ReactNode;
}

/** A whole page with one message: the character on a world's ground, a line of what happened, and what to do. */
export function StagePage({ pose, world, title, text, children }: StagePageProps) {
  return (
    <main className={`${styles.page} w-${world}`}>
      <div className={styles.show}>
        <Duma pose={pose} size={300} />
      </div>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {text ? <p className={styles.text}>{text}</p> : null}
      </div>
      {children ? <div className={styles.dock}>{children}</div> : null}
    </main>
  );
}
