import { Skeleton } from "@/ui/Skeleton";
import styles from "./HomeSkeleton.module.css";

/** Home's boxes, while they are empty. */
export function HomeSkeleton() {
  return (
    <div className={styles.home} aria-hidden="true">
      <div className={styles.header}>
        <Skeleton width={48} height={48} radius={24} />
        <Skeleton width="50%" height={40} />
      </div>
      <Skeleton height={196} radius={20} />
      <Skeleton height={112} radius={20} />
      <Skeleton width="40%" height={28} />
      <Skeleton height={80} radius={16} />
      <Skeleton width="40%" height={28} />
      <Skeleton height={204} radius={20} />
    </div>
  );
}
