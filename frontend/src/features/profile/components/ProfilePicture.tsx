import { Camera } from "lucide-react";
import type { ChangeEvent } from "react";
import { PlayerAvatar } from "@/entities/player/PlayerAvatar";
import { usePictureUpload } from "@/features/profile/hooks/usePictureUpload";
import { t } from "@/lib/i18n/i18n";
import type { Player } from "@/lib/session/player";
import { Button } from "@/ui/Button";
import { sharedElement } from "@/ui/useSharedElement";
import styles from "./ProfilePicture.module.css";

const SIZE = 104;
const STROKE = 5;
const RADIUS = SIZE / 2 + STROKE;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

function Ring({ progress }: { readonly progress: number }) {
  const side = SIZE + 4 * STROKE;
  const percent = Math.round(progress * 100);
  return (
    <svg
      className={styles.ring}
      viewBox={`0 0 ${side} ${side}`}
      width={side}
      height={side}
      role="progressbar"
      aria-label={t("picture.uploading")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <circle className={styles.track} cx={side / 2} cy={side / 2} r={RADIUS} strokeWidth={STROKE} />
      <circle
        className={styles.done}
        cx={side / 2}
        cy={side / 2}
        r={RADIUS}
        strokeWidth={STROKE}
        strokeDasharray={`${progress * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
      />
    </svg>
  );
}

/** The player's picture. Tapping it opens a file picker, and the chosen file is uploaded at once. */
export function ProfilePicture({ player }: { readonly player: Player }) {
  const { isPending, progress, preview, problem, choose, retry } = usePictureUpload(player.uid);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Cleared, so that choosing the same file again triggers a change event.
    target.value = "";
    if (file) choose(file);
  };
  return (
    <div className={styles.picture}>
      <label className={styles.target} style={sharedElement("player-avatar")}>
        <input
          type="file"
          accept="image/*"
          className={styles.input}
          aria-label={t("picture.change")}
          aria-disabled={isPending}
          // A disabled input would lose the focus during the upload.
          onClick={(event) => isPending && event.preventDefault()}
          onChange={onChange}
        />
        <PlayerAvatar player={preview ? { ...player, profilePic: preview } : player} size={SIZE} />
        {isPending ? <Ring progress={progress} /> : null}
        <span className={styles.badge}>
          <Camera size={18} aria-hidden="true" />
        </span>
      </label>
      {problem ? (
        <div role="alert" className={styles.problem}>
          <p>{problem}</p>
          {retry ? (
            <Button variant="quiet" onClick={retry}>
              {t("ui.retry")}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
