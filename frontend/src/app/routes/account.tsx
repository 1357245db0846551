import {
  Coins,
  FileText,
  Globe,
  KeyRound,
  LogOut,
  ShieldCheck,
  TabletSmartphone,
  Wallet,
} from "lucide-react";
import { lazy, Suspense } from "react";
import { TabLayout } from "@/app/layouts/TabBar";
import { useLogout } from "@/app/layouts/useLogout";
import { inviteLink, paths } from "@/app/paths";
import { countryName, currencyName } from "@/features/reference/names";
import { Invite } from "@/features/referral/Invite";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import type { Player } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { Avatar } from "@/ui/Avatar";
import { Button, ButtonLink } from "@/ui/Button";
import { RowButton, RowLink, Rows } from "@/ui/Rows";
import { Screen } from "@/ui/Screen";
import styles from "./account.module.css";

const SignOutEverywhere = lazy(async () => ({
  default: (await import("./sign-out-everywhere")).SignOutEverywhere,
}));

const EVERYWHERE = "everywhere";
/** For `useReturn` on the legal pages. */
const from = { previousPath: paths.account };
const icon = { size: 20, strokeWidth: 1.75, "aria-hidden": true } as const;

function Card({ player }: { readonly player: Player | null }) {
  const name = player?.name ?? player?.email ?? null;
  return (
    <section className={styles.card}>
      <Avatar src={player?.profilePic ?? null} name={name} size={56} />
      <div className={styles.words}>
        <h2 className={styles.name}>{name ?? t("account.nameless")}</h2>
        {player?.username ? <p className={styles.username}>@{player.username}</p> : null}
      </div>
      <ButtonLink variant="quiet" to={paths.profile}>
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
        icon={<Coins {...icon} />}
        title={t("account.currency")}
        detail={player?.currencyId ? currencyName(player.currencyId) : unchosen}
        to={paths.currency}
      />
      <RowLink
        icon={<Globe {...icon} />}
        title={t("account.country")}
        detail={player?.countryId ? countryName(player.countryId) : unchosen}
        to={paths.country}
      />
      <RowLink icon={<KeyRound {...icon} />} title={t("account.changePassword")} to={paths.changePassword} />
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
          <RowLink icon={<Wallet {...icon} />} title={t("menu.wallet")} to={paths.wallet} />
        </Rows>
        <Invite linkOf={inviteLink} />
        <Preferences player={player} />
        <Rows>
          <RowLink icon={<FileText {...icon} />} title={t("account.terms")} to={paths.terms} state={from} />
          <RowLink
            icon={<ShieldCheck {...icon} />}
            title={t("account.privacy")}
            to={paths.privacy}
            state={from}
          />
        </Rows>
        <Rows>
          <RowButton
            icon={<TabletSmartphone {...icon} />}
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
      <Suspense>
        {overlay.current === EVERYWHERE ? <SignOutEverywhere onClose={overlay.hide} /> : null}
      </Suspense>
    </TabLayout>
  );
}
