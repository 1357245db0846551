import { LogIn, LogOut, MessagesSquare, Trophy, Wallet } from "lucide-react";
import { useLogout } from "@/app/layouts/useLogout";
import { paths } from "@/app/paths";
import { VERSION } from "@/lib/env";
import { t } from "@/lib/i18n/i18n";
import { useSignedIn } from "@/lib/session/useSession";
import { Link, MenuLink } from "@/ui/Link";
import { Wordmark } from "@/ui/Mark";
import styles from "./Menu.module.css";

const entries = [
  { to: paths.tournaments, label: "menu.tournaments", Icon: Trophy },
  { to: paths.chatRooms, label: "menu.chatRooms", Icon: MessagesSquare },
  { to: paths.wallet, label: "menu.wallet", Icon: Wallet },
] as const;

interface MenuContentProps {
  /** For links inside the drawer, which is a history entry itself: they replace that entry. */
  readonly replace?: boolean;
}

/** The side menu: entries, login or logout, and the version. */
export function MenuContent({ replace = false }: MenuContentProps) {
  const isSignedIn = useSignedIn();
  const logout = useLogout();
  return (
    <>
      <Link to={isSignedIn ? paths.dashboard : paths.home} replace={replace} className={styles.brand}>
        <Wordmark size={30} />
      </Link>
      <nav className={styles.nav} aria-label={t("menu.title")}>
        <ul>
          {entries.map(({ to, label, Icon }) => (
            <li key={to}>
              <MenuLink to={to} replace={replace} className={styles.entry}>
                <Icon strokeWidth={1.75} aria-hidden="true" />
                {t(label)}
              </MenuLink>
            </li>
          ))}
          <li>
            {isSignedIn ? (
              <button type="button" className={styles.entry} onClick={() => logout.mutate()}>
                <LogOut strokeWidth={1.75} aria-hidden="true" />
                {t("menu.logout")}
              </button>
            ) : (
              <MenuLink to={paths.login} replace={replace} className={styles.entry}>
                <LogIn strokeWidth={1.75} aria-hidden="true" />
                {t("menu.login")}
              </MenuLink>
            )}
          </li>
        </ul>
      </nav>
      <p className={styles.version}>{t("app.version", { version: VERSION })}</p>
    </>
  );
}
