import { ChevronRight, LogIn, LogOut, MessageCircle, Trophy, Wallet } from "lucide-react";
import { useLogout } from "@/app/layouts/useLogout";
import { paths } from "@/app/paths";
import { playerName } from "@/entities/player/model";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import { VERSION } from "@/lib/env";
import { t } from "@/lib/i18n/i18n";
import { usePlayer, useSignedIn } from "@/lib/session/useSession";
import { Kiondo } from "@/ui/Kiondo";
import { Link, MenuLink } from "@/ui/Link";
import { Wordmark } from "@/ui/Mark";
import styles from "./Menu.module.css";

const entries = [
  { to: paths.tournaments, label: "menu.tournaments", Icon: Trophy, tone: "mango" },
  { to: paths.chatRooms, label: "menu.chatRooms", Icon: MessageCircle, tone: "sky" },
  { to: paths.wallet, label: "menu.wallet", Icon: Wallet, tone: "mint" },
] as const;

interface MenuContentProps {
  /** For links inside the drawer, which is a history entry itself: they replace that entry. */
  readonly replace?: boolean;
}

/** The player's picture and name on the weave, which open the profile. */
function Who({ replace }: { readonly replace: boolean }) {
  const player = usePlayer();
  return (
    <Link to={paths.profile} replace={replace} className={styles.who}>
      <Kiondo plain="left" />
      <PlayerAvatar player={player} size={56} />
      <span className={styles.names}>
        <span className={styles.name}>{playerName(player) ?? t("account.nameless")}</span>
        {player?.username ? <span className={styles.username}>@{player.username}</span> : null}
      </span>
      <ChevronRight strokeWidth={2.25} aria-hidden="true" />
    </Link>
  );
}

/** The side menu: entries, login or logout, and the version. */
export function MenuContent({ replace = false }: MenuContentProps) {
  const isSignedIn = useSignedIn();
  const logout = useLogout();
  return (
    <>
      {isSignedIn ? (
        <Who replace={replace} />
      ) : (
        <Link to={paths.home} replace={replace} className={styles.brand}>
          <Wordmark size={30} />
        </Link>
      )}
      <nav className={styles.nav} aria-label={t("menu.title")}>
        <ul>
          {entries.map(({ to, label, Icon, tone }) => (
            <li key={to}>
              <MenuLink to={to} replace={replace} className={styles.entry}>
                <span className={styles.tile} data-tone={tone}>
                  <Icon strokeWidth={2.25} aria-hidden="true" />
                </span>
                {t(label)}
              </MenuLink>
            </li>
          ))}
          <li className={styles.apart}>
            {isSignedIn ? (
              <button type="button" className={styles.entry} onClick={() => logout.mutate()}>
                <span className={styles.tile}>
                  <LogOut strokeWidth={2.25} aria-hidden="true" />
                </span>
                {t("menu.logout")}
              </button>
            ) : (
              <MenuLink to={paths.login} replace={replace} className={styles.entry}>
                <span className={styles.tile}>
                  <LogIn strokeWidth={2.25} aria-hidden="true" />
                </span>
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
