import {
  ArrowDownLeft,
  AtSign,
  BadgeCheck,
  Banknote,
  Bell,
  CircleAlert,
  FileDown,
  Flag,
  Hourglass,
  type LucideIcon,
  ShieldAlert,
  Smartphone,
  Swords,
  Trophy,
  Undo2,
  Zap,
} from "lucide-react";
import { formatRelative } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useServerNowAfter } from "@/lib/useServerNow";
import { Link } from "@/ui/Link";
import { Listing, Steps } from "@/ui/Listing";
import { Skeleton } from "@/ui/Skeleton";
import type { Notification, NotificationKind } from "./api";
import styles from "./NotificationList.module.css";
import { useMarkRead, useNotifications } from "./useNotifications";

interface Look {
  readonly Glyph: LucideIcon;
  readonly look: string;
}

const looks: Readonly<Partial<Record<string, Look>>> = {
  TOP_UP_COMPLETED: { Glyph: ArrowDownLeft, look: "credit" },
  BOOST_RECEIVED: { Glyph: Zap, look: "boost" },
  AWARD_WON: { Glyph: Trophy, look: "award" },
  CASH_AWARD_WON: { Glyph: Banknote, look: "award" },
  TOURNAMENT_RESULT: { Glyph: Flag, look: "result" },
  WITHDRAWAL_PAID: { Glyph: Smartphone, look: "credit" },
  WITHDRAWAL_FAILED: { Glyph: CircleAlert, look: "failed" },
  SUBSCRIPTION_STARTED: { Glyph: BadgeCheck, look: "award" },
  MONEY_RETURNED: { Glyph: Undo2, look: "credit" },
  SUBSCRIPTION_ENDING: { Glyph: Hourglass, look: "result" },
  TOURNAMENT_STARTED: { Glyph: Swords, look: "award" },
  MENTION: { Glyph: AtSign, look: "result" },
  NEW_DEVICE: { Glyph: ShieldAlert, look: "failed" },
  DATA_COPY_READY: { Glyph: FileDown, look: "result" },
  PAYOUT_PHONE_ADDED: { Glyph: ShieldAlert, look: "failed" },
  CASH_AWARD_PENDING: { Glyph: Banknote, look: "award" },
  CASH_AWARD_NEEDS_PHONE: { Glyph: Smartphone, look: "award" },
  CASH_AWARD_REFUSED: { Glyph: CircleAlert, look: "failed" },
} satisfies Record<NotificationKind, Look>;
const unknownKind: Look = { Glyph: Bell, look: "result" };

interface RowProps {
  readonly notification: Notification;
  readonly to: string;
  readonly isNew: boolean;
  readonly now: Date;
}

function Row({ notification, to, isNew, now }: RowProps) {
  const { kind, title, body, createdAt } = notification;
  const { Glyph, look } = looks[kind] ?? unknownKind;
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.glyph} data-look={look}>
          <Glyph size={22} strokeWidth={2.25} aria-hidden="true" />
        </span>
        <span className={styles.words}>
          <span className={styles.head}>
            <span className={styles.title}>{title}</span>
            <time className={styles.time} dateTime={createdAt}>
              {formatRelative(new Date(createdAt), now)}
            </time>
          </span>
          <span className={styles.body}>{body}</span>
        </span>
        {isNew ? <span className={styles.new} role="img" aria-label={t("notifications.new")} /> : null}
      </Link>
    </li>
  );
}

function ListSkeleton() {
  return (
    <div className={styles.list}>
      {[0, 1, 2, 3].map((place) => (
        <div key={place} className={`${styles.row} ${styles.box}`}>
          <Skeleton width={44} height={44} radius={12} />
          <span className={styles.words}>
            <Skeleton width="52%" height={16} radius={8} />
            <Skeleton width="84%" height={14} radius={8} />
          </span>
        </div>
      ))}
    </div>
  );
}

interface NotificationListProps {
  /** The path that a notification leads to. */
  readonly linkOf: (notification: Notification) => string;
}

/** The player's notifications. They are marked as read once they have been on the screen. */
export function NotificationList({ linkOf }: NotificationListProps) {
  const { list, older } = useNotifications();
  const rows = list.data?.rows ?? [];
  const isNew = useMarkRead(rows);
  // "now" is renewed each minute, so that today's times become yesterday's.
  const now = new Date(useServerNowAfter([]));
  const more = { label: t("notifications.more"), busy: older.isPending, onLoad: () => older.mutate() };
  return (
    <Listing
      query={{ ...list, data: list.data?.rows }}
      skeleton={<ListSkeleton />}
      empty={{
        title: t("notifications.empty"),
        text: t("notifications.emptyText"),
        world: "maneno",
        wide: true,
      }}
      more={list.data?.hasMore ? more : undefined}
    >
      {(notifications) => (
        <Steps className={styles.list}>
          {notifications.map((notification) => (
            <Row
              key={notification.id}
              notification={notification}
              to={linkOf(notification)}
              isNew={isNew(notification)}
              now={now}
            />
          ))}
        </Steps>
      )}
    </Listing>
  );
}
