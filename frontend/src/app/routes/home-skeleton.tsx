import { TabLayout } from "@/app/layouts/TabBar";
import { EventsSkeleton } from "@/features/events/EventsBanner";
import { FeaturedGamesSkeleton, RecentGamesSkeleton } from "@/features/games/GameLists";
import { LiveStripSkeleton } from "@/features/tournament/LiveStrip";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./home.module.css";

/** Home before its code and its data have loaded. */
export function HomeSkeleton() {
  return (
    <TabLayout>
      <div className={`${styles.wash} w-dash`}>
        <div className={styles.home}>
          <div className={styles.header}>
            <Skeleton width={48} height={48} radius={24} />
            <span className={styles.greeting}>
              <Skeleton width={96} height={24} />
            </span>
            <Skeleton width={132} height={48} radius={24} />
            <Skeleton width={36} height={36} radius={18} />
          </div>
          <main className={styles.main}>
            <LiveStripSkeleton />
            <EventsSkeleton />
            <RecentGamesSkeleton />
            <FeaturedGamesSkeleton />
          </main>
        </div>
      </div>
    </TabLayout>
  );
}
