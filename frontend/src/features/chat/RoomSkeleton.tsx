import "@/ui/worlds.css";
import { ArrowLeft } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { IconButton } from "@/ui/Button";
import { Skeleton } from "@/ui/Skeleton";
import { worldOf } from "@/ui/world";
import styles from "./RoomScreen.module.css";

/** The boxes of the messages. */
export function MessagesSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label={t("ui.loading")}>
      {[62, 40, 54, 70, 36].map((width, place) => (
        <Skeleton key={width} width={`${width}%`} height={place % 2 ? 44 : 64} radius={20} />
      ))}
    </div>
  );
}

/** A room that is not known yet. */
export function RoomSkeleton() {
  return (
    <div className={`${styles.screen} w-${worldOf("")}`}>
      <header className={styles.header}>
        <IconButton label={t("ui.back")}>
          <ArrowLeft />
        </IconButton>
        <div className={styles.words}>
          <Skeleton width={140} height={22} />
          <Skeleton width={180} height={14} />
        </div>
      </header>
      <main className={styles.main}>
        <MessagesSkeleton />
      </main>
    </div>
  );
}
