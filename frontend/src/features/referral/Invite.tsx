import "@/ui/worlds.css";
import { UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { share } from "@/features/referral/share";
import { useReferral } from "@/features/referral/useReferral";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./Referral.module.css";

function joined(invited: number): string {
  return t("invite.joined", { count: invited });
}

interface InviteProps {
  /** The link that a friend with this code opens. */
  readonly linkOf: (code: string) => string;
  /** A drawing at the end of the card. */
  readonly art?: ReactNode;
}

/** The player's own referral code. Tapping it opens the phone's share sheet. */
export function Invite({ linkOf, art }: InviteProps) {
  const referral = useReferral();
  const error = useLastError(referral);
  if (!referral.data && !error) {
    return (
      <div role="status" aria-label={t("ui.loading")}>
        <Skeleton height={104} radius={20} />
      </div>
    );
  }
  const known = referral.data;
  return (
    <button
      type="button"
      className={`${styles.invite} w-maneno`}
      onClick={() =>
        void (known ? share(known.referralCode, linkOf(known.referralCode)) : referral.refetch())
      }
    >
      <span className={styles.words}>
        <span className={styles.title}>
          <UserPlus size={22} strokeWidth={2.25} aria-hidden="true" />
          {t("invite.title")}
        </span>{" "}
        {known ? (
          <span className={styles.detail}>
            {t("invite.code")} <span className={styles.code}>{known.referralCode}</span>{" "}
            {known.invited > 0 ? <span className={styles.joined}>· {joined(known.invited)}</span> : null}
          </span>
        ) : (
          <span className={styles.detail}>{t("invite.failed")}</span>
        )}
      </span>
      {art ? <span className={styles.art}>{art}</span> : null}
    </button>
  );
}
