import type { ReactNode } from "react";
import styles from "./Tile.module.css";

export type Tone = "mint" | "sky" | "mango" | "coral" | "plain";

interface TileProps {
  readonly tone?: Tone;
  /** An icon of 22 to 24 px. */
  readonly children: ReactNode;
}

/** The icon of a row or of a menu entry, in its tone. */
export function Tile({ tone = "plain", children }: TileProps) {
  return <span className={`${styles.tile} ${styles[tone]}`}>{children}</span>;
}
