import "@/ui/worlds.css";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { afterProfile, paths } from "@/app/paths";
import { missingProfileQuery } from "@/features/profile/api/queries";
import { DeleteAccount } from "@/features/profile/components/DeleteAccount";
import { ProfileFields } from "@/features/profile/components/ProfileFields";
import { ProfilePicture } from "@/features/profile/components/ProfilePicture";
import { editOf, firstMissing } from "@/features/profile/model";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { useLastError } from "@/lib/recovery";
import { isComplete, type Player, REQUIRED_FIELDS } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { Button, ButtonLink } from "@/ui/Button";
import type { Celebration } from "@/ui/Celebration";
import { Failed } from "@/ui/Failed";
import { lazyComponent } from "@/ui/Lazy";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";
import { Stage } from "@/ui/Stage";
import styles from "./profile.module.css";

const DeleteAccountFlow = lazyOverlay(
  async () => (await import("@/app/dialogs/DeleteAccountFlow")).DeleteAccountFlow,
);

/** If its code fails to load, the character is shown without the celebration. */
const Joy = lazyComponent<ComponentProps<typeof Celebration>>(
  async () => (await import("@/ui/Celebration")).Celebration,
  ({ of }) => <Stage pose="cheer" world={of.world} title={of.title} />,
);

const DELETION = "delete";

function missingCount(player: Player): number {
  return REQUIRED_FIELDS.filter((field) => player[field] === null).length;
}

/** A meter with one segment per required detail. The text beside it says the same. */
function Meter({ player }: { readonly player: Player }) {
  return (
    <span className={styles.meter} aria-hidden="true">
      {REQUIRED_FIELDS.map((field) => (
        <span key={field} className={player[field] === null ? undefined : styles.filled} />
      ))}
    </span>
  );
}

interface DetailsProps {
  readonly player: Player;
  readonly showsProgress: boolean;
}

/** Celebrates the last detail, in view of the player who has just saved it further down. */
function Done() {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not.
    top.current?.scrollIntoView?.({ block: "start" });
  }, []);
  return (
    <div ref={top} className={styles.done}>
      <Joy world="maneno" title={t("profile.done")} />
    </div>
  );
}

/** Says which details are missing, or that none is, to a player who was sent here to complete the profile. */
function Progress({ player }: { readonly player: Player }) {
  const count = missingCount(player);
  const [wasMissing] = useState(count > 0);
  useEffect(() => {
    if (wasMissing) Joy.preload();
  }, [wasMissing]);
  if (count === 0) return wasMissing ? <Done /> : <p className={styles.missing}>{t("profile.done")}</p>;
  return (
    <>
      <Meter player={player} />
      <p className={styles.missing}>{t("profile.missing", { count })}</p>
    </>
  );
}

function Details({ player, showsProgress }: DetailsProps) {
  const overlay = useOverlay();
  return (
    <>
      <div className={`${styles.head} w-maneno`}>
        <div className={`${styles.ground} textured`} />
        <ProfilePicture player={player} />
      </div>
      <div className={styles.progress} role="status">
        {showsProgress ? <Progress player={player} /> : null}
      </div>
      <ProfileFields player={player} />
      <DeleteAccount onAsk={() => overlay.show(DELETION)} />
      {overlay.current === DELETION ? <DeleteAccountFlow uid={player.uid} onClose={overlay.hide} /> : null}
    </>
  );
}

/** Shown when the guard could not fetch the profile: fetches it again until it arrives. */
function MissingProfile() {
  const profile = useQuery(missingProfileQuery);
  const error = useLastError(profile);
  if (error) return <Failed error={error} busy={profile.isFetching} onRetry={() => void profile.refetch()} />;
  return <Skeleton height={384} radius={20} />;
}

/** The player's own details. The guard opens other screens only when they are complete. */
export function Component() {
  const player = usePlayer();
  const { search } = useLocation();
  const navigate = useNavigate();
  const overlay = useOverlay();
  const complete = player !== null && isComplete(player);
  const missing = player ? firstMissing(player) : undefined;
  const next = afterProfile(search);
  // A player who was redirected here gets a button to continue; a player who opened a complete profile does not.
  const [wasRedirected] = useState(() => !complete || next !== paths.dashboard);
  return (
    <Screen
      title={t("profile.title")}
      // While the profile is incomplete, the guard redirects every other screen here, except home at `/`.
      back={
        complete ? paths.dashboard : () => void navigate(paths.home, { replace: true, viewTransition: true })
      }
      footer={
        complete && wasRedirected ? (
          <ButtonLink wide to={next}>
            {t(next === paths.dashboard ? "profile.toHome" : "profile.continue")}
          </ButtonLink>
        ) : missing ? (
          <Button wide onClick={() => overlay.show(editOf(missing))}>
            {t("profile.complete")}
          </Button>
        ) : null
      }
    >
      {player ? <Details player={player} showsProgress={wasRedirected} /> : <MissingProfile />}
    </Screen>
  );
}
