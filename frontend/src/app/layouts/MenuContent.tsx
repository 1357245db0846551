import {
  ChevronRight,
  Gift,
  LifeBuoy,
  LogIn,
  LogOut,
  Medal,
  MessageCircle,
  Trophy,
  Tv,
  Wallet,
  Zap,
} from "lucide-react";
import { useLogout } from "@/app/layouts/useLogout";
import { paths } from "@/app/paths";
import { tournamentPaths } from "@/app/tournamentPaths";
import { playerName } from "@/entities/player/model";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import { VERSION } from "@/lib/env";
import { t } from "@/lib/i18n/i18n";
import { usePlayer, useSignedIn } from "@/lib/session/useSession";
import { Kiondo } from "@/ui/Kiondo";
import { Link } from "@/ui/Link";
import { Wordmark } from "@/ui/Mark";
import { Menu, MenuAction, MenuEntry, MenuGroup, MenuValue } from "@/ui/Menu";
import styles from "./Menu.module.css";

const icon = { size: 24, strokeWidth: 2.25, "aria-hidden": true } as const;

interface MenuContentProps {
  /** Whether links replace the history entry: the drawer, which is an entry itself, sets it. */
  readonly replace?: boolean;
  /** The balance, if the screen that opens the menu knows it. */
  readonly balance?: string | undefined;
}

/** The player's picture and name on the weave, which open the profile. */
function Who({ replace }: { readonly replace: boolean }) {
  const player = usePlayer();
  return (
    <Link to={paths.profile} replace={replace} className={styles.who}>
      <Kiondo plain="left" />
      <span className={styles.face}>
        <PlayerAvatar player={player} size={60} />
      </span>
      <span className={styles.names}>
        <span className={styles.name}>{playerName(player) ?? t("account.nameless")}</span>
        {player?.username ? <span className={styles.username}>@{player.username}</span> : null}
      </span>
      <ChevronRight strokeWidth={2.25} aria-hidden="true" />
    </Link>
  );
}

/** The side menu: entries, login or logout, and the version. */
export function MenuContent({ replace = false, balance }: MenuContentProps) {
  const isSignedIn = useSignedIn();
  const logout = useLogout();
  return (
    <Menu
      label={t("menu.title")}
      head={
        isSignedIn ? (
          <Who replace={replace} />
        ) : (
          <Link to={paths.home} replace={replace} className={styles.who}>
            <Kiondo plain="left" />
            <Wordmark size={30} />
          </Link>
        )
      }
      foot={
        <>
          {isSignedIn ? (
            <MenuAction icon={<LogOut {...icon} />} onPress={() => logout.mutate()}>
              {t("menu.logout")}
            </MenuAction>
          ) : null}
          <p className={styles.version}>{t("app.version", { version: VERSION })}</p>
        </>
      }
    >
      <MenuGroup>
        <MenuEntry to={paths.tournaments} replace={replace} icon={<Trophy {...icon} />} tone="mango">
          {t("menu.tournaments")}
        </MenuEntry>
        <MenuEntry to={paths.tv} replace={replace} icon={<Tv {...icon} />} tone="coral">
          {t("menu.tv")}
        </MenuEntry>
        <MenuEntry to={paths.chatRooms} replace={replace} icon={<MessageCircle {...icon} />} tone="sky">
          {t("menu.chatRooms")}
        </MenuEntry>
      </MenuGroup>
      <MenuGroup>
        <MenuEntry to={paths.subscriptions} replace={replace} icon={<Zap {...icon} />} tone="mango">
          {t("menu.subscriptions")}
        </MenuEntry>
        <MenuEntry
          to={paths.wallet}
          replace={replace}
          icon={<Wallet {...icon} />}
          tone="mint"
          trailing={balance ? <MenuValue>{balance}</MenuValue> : null}
        >
          {t("menu.wallet")}
        </MenuEntry>
      </MenuGroup>
      <MenuGroup>
        <MenuEntry to={tournamentPaths.hallOfFame} replace={replace} icon={<Medal {...icon} />} tone="mango">
          {t("menu.hallOfFame")}
        </MenuEntry>
        <MenuEntry to={paths.boost} replace={replace} icon={<Gift {...icon} />} tone="coral">
          {t("menu.boost")}
        </MenuEntry>
      </MenuGroup>
      <MenuGroup>
        <MenuEntry to={paths.feedback} replace={replace} icon={<LifeBuoy {...icon} />} tone="sky">
          {t("menu.contact")}
        </MenuEntry>
      </MenuGroup>
      {isSignedIn ? null : (
        <MenuGroup>
          <MenuEntry to={paths.login} replace={replace} icon={<LogIn {...icon} />}>
            {t("menu.login")}
          </MenuEntry>
        </MenuGroup>
      )}
    </Menu>
  );
}
