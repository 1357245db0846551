import { useQuery } from "@tanstack/react-query";
import { BellOff, BellRing } from "lucide-react";
import { fetchNotifications } from "@/features/chat/api";
import { formatDay, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Failed, Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./NotificationList.module.css";

/** The player's news, or why there is none. */
export function NotificationList() {
  const list = useQuery({ queryKey: ["chat", "notifications"], queryFn: fetchNotifications });
  if (list.isPending) {
    return (
      <div className={styles.list} role="status" aria-label={t("ui.loading")}>
        <Skeleton height={88} radius={20} />
        <Skeleton height={88} radius={20} />
      </div>
    );
  }
  if (list.isError) return <Failed reason={messageOf(list.error)} onRetry={() => void list.refetch()} />;
  if (list.data === null) {
    return (
      <Notice
        art={<BellOff size={64} strokeWidth={1.25} aria-hidden="true" />}
        title={t("notifications.closed")}
        text={t("notifications.closedText")}
      />
    );
  }
  if (list.data.length === 0) {
    return (
      <Notice
        art={<BellRing size={64} strokeWidth={1.25} aria-hidden="true" />}
        title={t("notifications.empty")}
        action={
          <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
            {t("notifications.refresh")}
          </Button>
        }
      />
    );
  }
  return (
    <ul className={styles.list}>
      {list.data.map(({ title, body, createdAt }) => (
        <li key={`${createdAt}${title}`} className={styles.item}>
          <h2 className={styles.name}>{title}</h2>
          <p>{body}</p>
          <p className={styles.when}>
            {formatDay(new Date(createdAt), new Date())}, {formatTime(new Date(createdAt))}
          </p>
        </li>
      ))}
    </ul>
  );
}
