import { accountPaths } from "@/app/accountPaths";
import { roomPath } from "@/app/chatPaths";
import { TabLayout } from "@/app/layouts/TabBar";
import { paths } from "@/app/paths";
import type { Notification, NotificationKind } from "@/features/notifications/api";
import { NotificationList } from "@/features/notifications/NotificationList";
import { PushOffer } from "@/features/push/PushOffer";
import { t } from "@/lib/i18n/i18n";
import { Screen } from "@/ui/Screen";

/** Where the notifications of each kind lead. */
const links: Readonly<Partial<Record<string, string>>> = {
  TOP_UP_COMPLETED: paths.wallet,
  BOOST_RECEIVED: paths.wallet,
  AWARD_WON: paths.tournaments,
  CASH_AWARD_WON: paths.tournaments,
  TOURNAMENT_RESULT: paths.tournaments,
  WITHDRAWAL_PAID: paths.wallet,
  WITHDRAWAL_FAILED: paths.wallet,
  SUBSCRIPTION_STARTED: paths.subscriptions,
  MONEY_RETURNED: paths.wallet,
  SUBSCRIPTION_ENDING: paths.subscriptions,
  TOURNAMENT_STARTED: paths.tournaments,
  MENTION: paths.chatRooms,
  NEW_DEVICE: paths.newDevice,
  DATA_COPY_READY: accountPaths.data,
  PAYOUT_PHONE_ADDED: paths.newDevice,
  CASH_AWARD_PENDING: paths.tournaments,
  CASH_AWARD_NEEDS_PHONE: accountPaths.phones,
  CASH_AWARD_REFUSED: paths.tournaments,
} satisfies Record<NotificationKind, string>;

/** A mention leads to its room. A kind that this window does not know stays on this page. */
function linkOf({ kind, chatRoomUid }: Notification): string {
  return chatRoomUid ? roomPath(chatRoomUid) : (links[kind] ?? paths.notifications);
}

export function Component() {
  return (
    <TabLayout>
      <Screen title={t("notifications.title")}>
        <PushOffer />
        <NotificationList linkOf={linkOf} />
      </Screen>
    </TabLayout>
  );
}
