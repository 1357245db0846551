import {
  Banknote,
  Bell,
  ChevronRight,
  FileDown,
  Gauge,
  Globe,
  KeyRound,
  Lock,
  LogOut,
  ScrollText,
  Smartphone,
  TabletSmartphone,
  Wallet,
  Zap,
} from "lucide-react";
import { accountPaths } from "@/app/accountPaths";
import { LanguageSwitch } from "@/app/layouts/LanguageSwitch";
import { StaySignedIn } from "@/app/layouts/StaySignedIn";
import { TabLayout } from "@/app/layouts/TabBar";
import { useLogout } from "@/app/layouts/useLogout";
import { inviteLink } from "@/app/links";
import { paths } from "@/app/paths";
import { playerName } from "@/entities/player/model";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import { countryName } from "@/features/reference/names";
import { Invite } from "@/features/referral/Invite";
import { RunningPass } from "@/features/wallet/components/RunningPass";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import type { Player } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { Button, ButtonLink } from "@/ui/Button";
import { Duma } from "@/ui/Duma";
import { Kiondo } from "@/ui/Kiondo";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { RowButton, RowLink, Rows } from "@/ui/Rows";
import { Screen } from "@/ui/Screen";
import { Tile } from "@/ui/Tile";
import { useSharedElement } from "@/ui/useSharedElement";
import styles from "./account.module.css";

const SignOutEverywhere = lazyOverlay(async () => (await import("./sign-out-everywhere")).SignOutEverywhere);

const EVERYWHERE = "everywhere";
/** The navigation state with which `useReturn` on the legal pages comes back here. */
const from = { previousPath: paths.account };
const icon = { size: 22, strokeWidth: 2.25, "aria-hidden": true } as const;

/** The chosen value at the end of a row. */
function Value({ children }: { readonly children: string }) {
  return (
    <>
      {" "}
      <span className={styles.value}>{children}</span>
      <ChevronRight className={styles.chevron} size={20} strokeWidth={2.25} aria-hidden="true" />
    </>
  );
}

function Card({ player }: { readonly player: Player | null }) {
  const name = playerName(player);
  const shared = useSharedElement("player-avatar", paths.profile);
  return (
    <section className={styles.card}>
      <Kiondo plain="middle" />
      <span className={styles.face} style={shared}>
        <PlayerAvatar player={player} size={72} />
      </span>
      <div className={styles.words}>
        <h2 className={styles.name}>{name ?? t("account.nameless")}</h2>
        {player?.username ? <p className={styles.username}>@{player.username}</p> : null}
      </div>
      <ButtonLink variant="hero" to={paths.profile}>
        {t("account.view")}
      </ButtonLink>
    </section>
  );
}

/** Each row's screen returns to this one, the previous history entry. */
function Preferences({ player }: { readonly player: Player | null }) {
  const unchosen = t("account.notChosen");
  return (
    <Rows label={t("account.preferences")}>
      <RowLink
        icon={
          <Tile tone="mint">
            <Banknote {...icon} />
          </Tile>
        }
        title={t("account.currency")}
        trailing={<Value>{player?.currencyId ?? unchosen}</Value>}
        to={paths.currency}
      />
      <RowLink
        icon={
          <Tile tone="sky">
            <Globe {...icon} />
          </Tile>
        }
        title={t("account.country")}
        trailing={<Value>{player?.countryId ? countryName(player.countryId) : unchosen}</Value>}
        to={paths.country}
      />
      <RowLink
        icon={
          <Tile tone="mango">
            <KeyRound {...icon} />
          </Tile>
        }
        title={t("account.changePassword")}
        to={paths.changePassword}
      />
      <RowLink
        icon={
          <Tile tone="sky">
            <Bell {...icon} />
          </Tile>
        }
        title={t("tabs.notifications")}
        to={paths.notificationSettings}
      />
      <LanguageSwitch />
    </Rows>
  );
}

/** The player's account: profile card, wallet, referral code, preferences, legal texts, sign-out. */
export function Component() {
  const player = usePlayer();
  const logout = useLogout();
  const overlay = useOverlay();
  return (
    <TabLayout>
      <Screen title={t("account.title")}>
        <Card player={player} />
        <Rows>
          <RowLink
            icon={
              <Tile tone="mint">
                <Wallet {...icon} />
              </Tile>
            }
            title={t("menu.wallet")}
            to={paths.wallet}
          />
          <RowLink
            icon={
              <Tile tone="mango">
                <Zap {...icon} />
              </Tile>
            }
            title={t("menu.subscriptions")}
            detail={<RunningPass none={t("wallet.passes.detail")} />}
            to={paths.subscriptions}
          />
          <RowLink
            icon={
              <Tile tone="mint">
                <Smartphone {...icon} />
              </Tile>
            }
            title={t("account.phones")}
            to={accountPaths.phones}
          />
          <RowLink
            icon={
              <Tile tone="sky">
                <Gauge {...icon} />
              </Tile>
            }
            title={t("account.spending")}
            detail={t("account.spending.hint")}
            to={accountPaths.spending}
          />
        </Rows>
        <Preferences player={player} />
        <Invite linkOf={inviteLink} art={<Duma pose="wave" size={136} />} />
        <Rows>
          <RowLink
            icon={
              <Tile>
                <ScrollText {...icon} />
              </Tile>
            }
            title={t("account.terms")}
            to={paths.terms}
            state={from}
          />
          <RowLink
            icon={
              <Tile>
                <Lock {...icon} />
              </Tile>
            }
            title={t("account.privacy")}
            to={paths.privacy}
            state={from}
          />
          <RowLink
            icon={
              <Tile tone="sky">
                <FileDown {...icon} />
              </Tile>
            }
            title={t("account.data")}
            detail={t("account.data.hint")}
            to={accountPaths.data}
          />
        </Rows>
        <Rows>
          <StaySignedIn />
          <RowButton
            icon={
              <Tile tone="coral">
                <TabletSmartphone {...icon} />
              </Tile>
            }
            title={t("account.everywhere")}
            detail={t("account.everywhere.hint")}
            onClick={() => overlay.show(EVERYWHERE)}
          />
        </Rows>
        <Button
          variant="danger"
          wide
          icon={<LogOut {...icon} />}
          busy={logout.isPending}
          onClick={() => logout.mutate()}
        >
          {t("account.logout")}
        </Button>
      </Screen>
      {overlay.current === EVERYWHERE ? <SignOutEverywhere onClose={overlay.hide} /> : null}
    </TabLayout>
  );
}
