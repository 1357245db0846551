import "./worlds.css";
import type { ReactNode } from "react";
import { Duma, type Pose } from "./Duma";
import styles from "./Stage.module.css";

/** A game's colour world: classes of `worlds.css`. */
export type World = "ajua" | "maneno" | "dash";

interface StageProps {
  readonly pose: Pose;
  readonly world: World;
  readonly title: string;
  /** The notice is the whole page, so its title is the page's heading. */
  readonly page?: boolean;
  readonly text?: ReactNode;
  /** One button at most. */
  readonly action?: ReactNode;
}

/** The character on a world's stage, with one line of what happened and one button: empty, failed, offline. */
export function Stage({ pose, world, title, page = false, text, action }: StageProps) {
  const Title = page ? "h1" : "p";
  return (
    <div className={`${styles.stage} w-${world}`}>
      <div className={styles.show}>
        <Duma pose={pose} size={240} />
      </div>
      <div className={styles.words}>
        <Title className={styles.title}>{title}</Title>
        {text ? <p className={styles.text}>{text}</p> : null}
        {action}
      </div>
    </div>
  );
}
