import { QueryClientContext } from "@tanstack/react-query";
import { useContext } from "react";
import { useUnread } from "@/features/notifications/useUnread";
import { t } from "@/lib/i18n/i18n";
import { CountBadge } from "@/ui/Badge";

function Badge() {
  const unread = useUnread();
  return <CountBadge count={unread} label={t("tabs.unread", { count: unread })} />;
}

/**
 * The number of unread notifications. Renders nothing outside of the query client, where a screen's fallback may stand.
 */
export function UnreadBadge() {
  return useContext(QueryClientContext) ? <Badge /> : null;
}
