import { Menu } from "lucide-react";
import { TabLayout } from "@/app/layouts/TabBar";
import { paths } from "@/app/paths";
import { FeaturedGames } from "@/features/games/GameLists";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { usePlayer, useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { Avatar } from "@/ui/Avatar";
import { ButtonLink, IconButton } from "@/ui/Button";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Link } from "@/ui/Link";
import styles from "./home.module.css";

const SideMenu = lazyOverlay(async () => (await import("@/app/layouts/SideMenu")).SideMenu);

function Greeting() {
  const player = usePlayer();
  const firstName = player?.name?.trim().split(/\s+/)[0];
  return (
    <>
      <Link to={paths.profile} className={styles.picture} aria-label={t("home.openProfile")}>
        <Avatar src={player?.profilePic ?? null} name={player?.name ?? null} size={48} />
      </Link>
      <div className={styles.words}>
        <h1 className={styles.greeting}>
          {firstName ? t("home.hi", { name: firstName }) : t("home.hiThere")}
        </h1>
        <p className={styles.line}>{t("home.ready")}</p>
      </div>
    </>
  );
}

function GuestGreeting() {
  return (
    <div className={styles.words}>
      <h1 className={styles.greeting} lang="sw">
        {t("home.guest")}
      </h1>
      <p className={styles.line}>{t("home.guestLine")}</p>
    </div>
  );
}

/** Home: greeting, games and the side menu. Guests see a sign-in button instead of the greeting. */
export function Component() {
  const signedIn = useSignedIn();
  const overlay = useOverlay();
  useTitle(t("ui.home"));
  return (
    <TabLayout>
      <div className={styles.home}>
        <header className={styles.header}>
          {signedIn ? <Greeting /> : <GuestGreeting />}
          {signedIn ? null : (
            <ButtonLink variant="quiet" to={paths.login}>
              {t("home.signIn")}
            </ButtonLink>
          )}
          <span className={styles.menu}>
            <IconButton label={t("menu.open")} onClick={() => overlay.show("menu")}>
              <Menu strokeWidth={1.75} />
            </IconButton>
          </span>
        </header>
        <main className={styles.main}>
          <FeaturedGames />
        </main>
      </div>
      {overlay.current === "menu" ? <SideMenu onClose={overlay.hide} /> : null}
    </TabLayout>
  );
}
