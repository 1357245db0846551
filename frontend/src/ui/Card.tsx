import "./worlds.css";
import type { CSSProperties, ReactNode } from "react";
import styles from "./Card.module.css";
import { WorldArt } from "./WorldArt";
import type { World } from "./world";

interface CardProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A card with an outline and a thicker lower edge. */
export function Card({ className = "", children }: CardProps) {
  return <div className={`${styles.card} ${className}`}>{children}</div>;
}

interface WorldCardProps extends CardProps {
  readonly world: World;
  /** Shows the world's drawing at the right, where it fades behind the words. */
  readonly art?: boolean;
  /** The style of the drawing, when it moves between pages: see `useSharedElement`. */
  readonly artStyle?: CSSProperties | undefined;
}

/** A card in the colours of a game's world. */
export function WorldCard({ world, art = false, artStyle, className = "", children }: WorldCardProps) {
  return (
    <div className={`${styles.world} textured w-${world} ${className}`}>
      {art ? <WorldArt world={world} className={styles.art} style={artStyle} /> : null}
      {children}
    </div>
  );
}
