import { Menu, Play, Plus } from "lucide-react";
import { gamePath, playPath } from "@/app/gamePaths";
import { TabLayout } from "@/app/layouts/TabBar";
import { paths } from "@/app/paths";
import { boardPath } from "@/app/tournamentPaths";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import { EventsBanner } from "@/features/events/EventsBanner";
import { FeaturedGames, RecentGames } from "@/features/games/GameLists";
import { TryGame } from "@/features/games/TryGame";
import type { Tournament } from "@/features/tournament/api";
import { LiveStrip } from "@/features/tournament/LiveStrip";
import { useBalance } from "@/features/wallet/hooks/useWallet";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { usePlayer, useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { ButtonLink, IconButton } from "@/ui/Button";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Link } from "@/ui/Link";
import { Wordmark } from "@/ui/Mark";
import { Skeleton } from "@/ui/Skeleton";
import { useSharedElement } from "@/ui/useSharedElement";
import styles from "./home.module.css";

const SideMenu = lazyOverlay(async () => (await import("@/app/layouts/SideMenu")).SideMenu);

/** The balance as a pill that opens the wallet. Renders nothing while the balance is not known. */
function BalancePill() {
  const balance = useBalance();
  if (!balance.data) return balance.isPending ? <Skeleton width={132} height={48} radius={24} /> : null;
  const amount = formatKes(balance.data.balance);
  return (
    <Link to={paths.wallet} className={styles.balance} aria-label={t("home.toWallet", { amount })}>
      <span>
        {amount.slice(0, -3)}
        <span className={styles.cents}>{amount.slice(-3)}</span>
      </span>
      <span className={styles.add} aria-hidden="true">
        <Plus size={18} strokeWidth={2.25} />
      </span>
    </Link>
  );
}

function Greeting() {
  const player = usePlayer();
  const shared = useSharedElement("player-avatar", paths.profile);
  const firstName = player?.name?.trim().split(/\s+/)[0];
  return (
    <>
      <Link to={paths.profile} className={styles.picture} style={shared} aria-label={t("home.openProfile")}>
        <PlayerAvatar player={player} size={48} />
      </Link>
      <h1 className={styles.greeting}>{firstName ? t("home.hi", { name: firstName }) : t("home.hiThere")}</h1>
      <BalancePill />
    </>
  );
}

function GuestGreeting() {
  return (
    <>
      <span className={styles.brand}>
        <Wordmark size={32} />
      </span>
      <ButtonLink variant="quiet" to={paths.login}>
        {t("home.signIn")}
      </ButtonLink>
    </>
  );
}

/** The side menu of a player, with the balance as far as it is known. */
function PlayerMenu({ onClose }: { readonly onClose: () => void }) {
  const { data } = useBalance();
  return <SideMenu balance={data && formatKes(data.balance)} onClose={onClose} />;
}

/** The button of the strip: into a run, or to a tournament that is next. */
function TournamentAction({ tournament, isOn }: { readonly tournament: Tournament; readonly isOn: boolean }) {
  const { id, gameId } = tournament;
  return isOn ? (
    <ButtonLink
      to={gamePath(gameId, { tournamentId: id })}
      state={{ tournament }}
      icon={<Play size={20} fill="currentColor" aria-hidden="true" />}
    >
      {t("tournaments.play")}
    </ButtonLink>
  ) : (
    <ButtonLink variant="paper" to={boardPath(id)} state={{ tournament }}>
      {t("tournaments.view")}
    </ButtonLink>
  );
}

/** Home: greeting, the tournament that is on or next, events, games, and the side menu. Guests may practise and sign in. */
export function Component() {
  const signedIn = useSignedIn();
  const overlay = useOverlay();
  const OpenMenu = signedIn ? PlayerMenu : SideMenu;
  useTitle(t("ui.home"));
  return (
    <TabLayout>
      <div className={`${styles.wash} w-dash`}>
        <div className={styles.home}>
          <header className={styles.header}>
            {signedIn ? <Greeting /> : <GuestGreeting />}
            <span className={styles.menu}>
              <IconButton label={t("menu.open")} onClick={() => overlay.show("menu")}>
                <Menu strokeWidth={2.25} />
              </IconButton>
            </span>
          </header>
          <main className={styles.main}>
            {signedIn ? null : <TryGame toPlay={playPath} />}
            <LiveStrip
              leadsTo={signedIn ? paths.tournaments : null}
              actionOf={(tournament, stage) =>
                signedIn ? (
                  <TournamentAction tournament={tournament} isOn={stage === "ongoing"} />
                ) : (
                  <ButtonLink variant="paper" to={paths.login}>
                    {t("tournaments.signIn")}
                  </ButtonLink>
                )
              }
            />
            <EventsBanner overlay={overlay} />
            {signedIn ? <RecentGames linkOf={gamePath} /> : null}
            <FeaturedGames
              linkOf={gamePath}
              all={
                <ButtonLink variant="plain" to={paths.games}>
                  {t("home.allGames")}
                </ButtonLink>
              }
            />
          </main>
        </div>
      </div>
      {overlay.current === "menu" ? <OpenMenu onClose={overlay.hide} /> : null}
    </TabLayout>
  );
}
