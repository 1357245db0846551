import { FileText, LogOut, ShieldCheck, Wallet } from "lucide-react";
import { WithTabs } from "@/app/layouts/TabBar";
import { useLogout } from "@/app/layouts/useLogout";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { usePlayer } from "@/lib/session/useSession";
import { Avatar } from "@/ui/Avatar";
import { Button, ButtonLink } from "@/ui/Button";
import { RowLink, Rows } from "@/ui/Rows";
import { Screen } from "@/ui/Screen";
import styles from "./account.module.css";

const icon = { size: 20, strokeWidth: 1.75, "aria-hidden": true } as const;

/** Who is signed in, what belongs to them, and the way out. */
export function Component() {
  const player = usePlayer();
  const logout = useLogout();
  return (
    <WithTabs>
      <Screen title={t("account.title")}>
        <section className={styles.card}>
          <Avatar src={player?.profilePic ?? null} name={player?.name ?? player?.email ?? null} size={64} />
          <div className={styles.words}>
            <h2 className={styles.name}>{player?.name ?? player?.email ?? t("account.nameless")}</h2>
            {player?.username ? <p className={styles.username}>@{player.username}</p> : null}
          </div>
          <ButtonLink look="quiet" to={paths.profile}>
            {t("account.view")}
          </ButtonLink>
        </section>
        <Rows>
          <RowLink icon={<Wallet {...icon} />} title={t("menu.wallet")} to={paths.wallet} />
        </Rows>
        <Rows>
          <RowLink icon={<FileText {...icon} />} title={t("account.terms")} to={paths.terms} />
          <RowLink icon={<ShieldCheck {...icon} />} title={t("account.privacy")} to={paths.privacy} />
        </Rows>
        <Button
          look="danger"
          wide
          icon={<LogOut {...icon} />}
          busy={logout.isPending}
          onClick={() => logout.mutate()}
        >
          {t("account.logout")}
        </Button>
      </Screen>
    </WithTabs>
  );
}
