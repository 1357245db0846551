import { Bell, House, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { useSignedIn } from "@/lib/session/useSession";
import { lazyComponent } from "@/ui/Lazy";
import { MenuLink } from "@/ui/Link";
import styles from "./TabBar.module.css";

/** The badge loads after the screen, because it loads the live stream. */
const UnreadBadge = lazyComponent(
  async () => (await import("./UnreadBadge")).UnreadBadge,
  () => null,
);

/** A screen with the bottom tab bar: home, notifications, account. */
export function TabLayout({ children }: { readonly children: ReactNode }) {
  const isSignedIn = useSignedIn();
  const tabs = [
    { to: isSignedIn ? paths.dashboard : paths.home, label: t("tabs.home"), Icon: House },
    { to: paths.notifications, label: t("tabs.notifications"), Icon: Bell },
    { to: paths.account, label: t("tabs.account"), Icon: UserRound },
  ];
  return (
    <div className={styles.withTabs}>
      {children}
      <nav className={styles.bar} aria-label={t("tabs.label")}>
        {tabs.map(({ to, label, Icon }) => (
          <MenuLink key={to} to={to} className={styles.tab}>
            <span className={styles.pill}>
              <Icon className={styles.icon} strokeWidth={2.25} aria-hidden="true" />
            </span>
            {label}{" "}
            {isSignedIn && to === paths.notifications ? (
              <span className={styles.badge}>
                <UnreadBadge />
              </span>
            ) : null}
          </MenuLink>
        ))}
      </nav>
    </div>
  );
}
