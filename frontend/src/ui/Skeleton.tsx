import styles from "./Skeleton.module.css";

interface SkeletonProps {
  readonly width?: number | string;
  readonly height: number | string;
  readonly radius?: number | string;
}

/** A placeholder in the shape of content that is loading. */
export function Skeleton({ width = "100%", height, radius = 12 }: SkeletonProps) {
  return (
    <span className={styles.skeleton} style={{ width, height, borderRadius: radius }} aria-hidden="true" />
  );
}
