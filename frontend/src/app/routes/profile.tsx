import { paths } from "@/app/paths";
import { DeletionWarning, ProfileFields } from "@/features/profile/ProfileFields";
import { t } from "@/lib/i18n/i18n";
import { isComplete, type Player, REQUIRED_FIELDS } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { Avatar } from "@/ui/Avatar";
import { ButtonLink } from "@/ui/Button";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./profile.module.css";

function missingText(player: Player): string {
  const count = REQUIRED_FIELDS.filter((field) => player[field] === null).length;
  if (count === 0) return t("profile.done");
  return count === 1 ? t("profile.missing.one") : t("profile.missing.many", { count });
}

/** The player's own details. Everything else in the app waits until they are complete. */
export function Component() {
  const player = usePlayer();
  const complete = player !== null && isComplete(player);
  return (
    <Screen
      title={t("profile.title")}
      back={paths.dashboard}
      footer={
        complete ? (
          <ButtonLink wide to={paths.dashboard}>
            {t("profile.toHome")}
          </ButtonLink>
        ) : null
      }
    >
      {player ? (
        <>
          <div className={styles.head}>
            <Avatar src={player.profilePic} name={player.name ?? player.email} size={96} />
            <p className={styles.missing} role="status">
              {missingText(player)}
            </p>
          </div>
          <ProfileFields player={player} />
          <DeletionWarning />
        </>
      ) : (
        <Skeleton height={384} radius={20} />
      )}
    </Screen>
  );
}
