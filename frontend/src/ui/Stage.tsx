import "./worlds.css";
import type { ReactNode } from "react";
import { Duma, type Pose } from "./Duma";
import styles from "./Stage.module.css";
import type { World } from "./world";

export interface StageProps {
  readonly pose: Pose;
  readonly world: World;
  /** Falls behind the character: the confetti of a celebration. */
  readonly behind?: ReactNode;
  /** Stands above the title: the figure of a celebration. */
  readonly lead?: ReactNode;
  readonly title: string;
  readonly text?: ReactNode;
}

interface ShapedProps extends StageProps {
  readonly shape: "inset" | "page";
}

/** The character on its world's ground, and the words below. */
function Scene({ pose, world, shape, behind, lead, title, text }: ShapedProps) {
  const Title = shape === "page" ? "h1" : "p";
  return (
    <>
      <div className={`${styles.show} textured w-${world}`}>
        {behind}
        <Duma pose={pose} size={300} />
      </div>
      <div className={styles.words}>
        {lead}
        <Title className={styles.title}>{title}</Title>
        {text ? <p className={styles.text}>{text}</p> : null}
      </div>
    </>
  );
}

interface InsetProps extends StageProps {
  /** At most one button. */
  readonly action?: ReactNode;
  /** Whether the stage fills its screen: from edge to edge, and up behind the screen's title. */
  readonly wide?: boolean;
}

/** The character on a world's stage, within a screen, with one line of what happened and one button: empty, failed. */
export function Stage({ action, wide = false, ...scene }: InsetProps) {
  return (
    <div className={styles.inset} data-stage={wide ? "wide" : undefined}>
      <Scene {...scene} shape="inset" />
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}

interface PageProps extends StageProps {
  /** Buttons within thumb reach. */
  readonly children?: ReactNode;
}

/** A whole page with one message: the character on a world's ground, a line of what happened, and what to do. */
export function StagePage({ children, ...scene }: PageProps) {
  return (
    <main className={styles.page}>
      <Scene {...scene} shape="page" />
      {children ? <div className={styles.dock}>{children}</div> : null}
    </main>
  );
}
