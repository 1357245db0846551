import { Gift, Share2 } from "lucide-react";
import { share } from "@/features/referral/share";
import { useReferral } from "@/features/referral/useReferral";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { RowButton, Rows } from "@/ui/Rows";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./Referral.module.css";

const icon = { size: 20, strokeWidth: 1.75, "aria-hidden": true } as const;

function joined(invited: number): string {
  return t("invite.joined", { count: invited });
}

interface InviteProps {
  /** The link that a friend with this code opens. */
  readonly linkOf: (code: string) => string;
}

/** The player's own referral code. Tapping it opens the phone's share sheet. */
export function Invite({ linkOf }: InviteProps) {
  const referral = useReferral();
  const error = useLastError(referral);
  if (!referral.data && !error) {
    return (
      <div role="status" aria-label={t("ui.loading")}>
        <Skeleton height={64} radius={20} />
      </div>
    );
  }
  if (!referral.data) {
    return (
      <Rows>
        <RowButton
          icon={<Gift {...icon} />}
          title={t("invite.title")}
          detail={t("invite.failed")}
          onClick={() => void referral.refetch()}
        />
      </Rows>
    );
  }
  const { referralCode, invited } = referral.data;
  return (
    <Rows>
      <RowButton
        icon={<Gift {...icon} />}
        title={t("invite.title")}
        detail={
          <>
            {t("invite.code", { code: referralCode })}
            {invited > 0 ? ` · ${joined(invited)}` : null}
          </>
        }
        trailing={<Share2 {...icon} className={styles.share} />}
        onClick={() => void share(referralCode, linkOf(referralCode))}
      />
    </Rows>
  );
}
