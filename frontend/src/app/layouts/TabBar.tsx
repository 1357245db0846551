import { Bell, House, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { useSignedIn } from "@/lib/session/useSession";
import { CountBadge } from "@/ui/Badge";
import { MenuLink } from "@/ui/Link";
import styles from "./TabBar.module.css";

interface TabLayoutProps {
  /** Unread notifications, shown on their tab. */
  readonly badge?: number;
  readonly children: ReactNode;
}

/** A screen with the bottom tab bar: home, notifications, account. */
export function TabLayout({ badge = 0, children }: TabLayoutProps) {
  const home = useSignedIn() ? paths.dashboard : paths.home;
  const tabs = [
    { to: home, label: t("tabs.home"), Icon: House, unread: 0 },
    { to: paths.notifications, label: t("tabs.notifications"), Icon: Bell, unread: badge },
    { to: paths.account, label: t("tabs.account"), Icon: UserRound, unread: 0 },
  ];
  return (
    <div className={styles.withTabs}>
      {children}
      <nav className={styles.bar} aria-label={t("tabs.label")}>
        {tabs.map(({ to, label, Icon, unread }) => (
          <MenuLink key={to} to={to} className={styles.tab}>
            <span className={styles.pill}>
              <Icon className={styles.icon} strokeWidth={2.25} aria-hidden="true" />
            </span>
            {label}{" "}
            <span className={styles.badge}>
              <CountBadge count={unread} label={t("tabs.unread", { count: unread })} />
            </span>
          </MenuLink>
        ))}
      </nav>
    </div>
  );
}
