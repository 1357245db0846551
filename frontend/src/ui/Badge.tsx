import type { ReactNode } from "react";
import styles from "./Badge.module.css";

const MOST = 99;

interface CountBadgeProps {
  readonly count: number;
  /** The name of the counted items, for screen readers. */
  readonly label: string;
}

/** A number of unread items. It animates on a change; renders nothing for 0. */
export function CountBadge({ count, label }: CountBadgeProps) {
  if (count <= 0) return null;
  return (
    <span key={count} className={styles.count}>
      <span aria-hidden="true">{count > MOST ? `${MOST}+` : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

/** A pill with a pulsing dot: something happens now. */
export function LiveBadge({ children }: { readonly children: ReactNode }) {
  return <span className={styles.live}>{children}</span>;
}
