import { Copy, Share2 } from "lucide-react";
import { useReferral } from "@/features/auth/useReferral";
import { campaignLink } from "@/lib/campaign";
import { formatCount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Failed } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./Referral.module.css";

function invitedText(count: number): string {
  if (count === 0) return t("referral.share.none");
  return count === 1 ? t("referral.share.one") : t("referral.share.many", { count: formatCount(count) });
}

async function copy(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(campaignLink(code));
    toast.success(t("referral.share.copied"));
  } catch {
    toast.info(t("referral.share.uncopied", { code }));
  }
}

async function share(code: string): Promise<void> {
  try {
    await navigator.share({ text: t("referral.share.text", { code }), url: campaignLink(code) });
  } catch (cause) {
    // Closing the phone's own sheet is no failure.
    if (!(cause instanceof DOMException && cause.name === "AbortError")) await copy(code);
  }
}

/** The player's own referral code, to be handed on: by the phone's share sheet, or copied where there is none. */
export function ReferralShare() {
  const referral = useReferral();
  if (referral.isPending) return <Skeleton height={152} radius={20} />;
  if (referral.isError)
    return <Failed reason={messageOf(referral.error)} onRetry={() => void referral.refetch()} />;
  const { referralCode, invited } = referral.data;
  const canShare = typeof navigator.share === "function";
  return (
    <section className={styles.share} aria-labelledby="referral-share">
      <h2 id="referral-share" className={styles.heading}>
        {t("referral.share.title")}
      </h2>
      <p className={styles.code} translate="no">
        {referralCode}
      </p>
      <p className={styles.line}>
        {t("referral.share.line")} {invitedText(invited)}
      </p>
      <Button
        look="quiet"
        wide
        icon={canShare ? <Share2 size={20} strokeWidth={1.75} /> : <Copy size={20} strokeWidth={1.75} />}
        onClick={() => void (canShare ? share(referralCode) : copy(referralCode))}
      >
        {t(canShare ? "referral.share.share" : "referral.share.copy")}
      </Button>
    </section>
  );
}
