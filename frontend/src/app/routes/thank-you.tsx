import { Navigate, useLocation } from "react-router";
import { paths } from "@/app/paths";
import { parseDraft } from "@/features/wallet/draft";
import { paymentKinds } from "@/features/wallet/kinds";
import { formatAmount, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useReturn } from "@/lib/navigation";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { Kiondo } from "@/ui/Kiondo";
import styles from "./thank-you.module.css";

/** Thanks for a completed payment. Without a draft it redirects to the wallet. */
export function Component() {
  const { state } = useLocation();
  useTitle(t("completion.thanks"));
  const viewWallet = useReturn(paths.wallet);
  const draft = parseDraft(state);
  if (!draft) return <Navigate to={paths.wallet} replace />;
  const kind = paymentKinds[draft.type];
  return (
    <main className={styles.completion}>
      <Kiondo scale={1.4} plain="middle" />
      <div className={styles.center}>
        <svg className={styles.tick} viewBox="0 0 120 120" width="120" height="120" aria-hidden="true">
          <circle cx="60" cy="60" r="56" />
          <path d="M36 62l17 17 31-36" />
        </svg>
        <p className={styles.amount}>{formatKes(draft.amount)}</p>
        <h1 className={styles.title}>{t(kind.thanksTitle)}</h1>
        <p className={styles.text}>{t(kind.thanksText, { amount: formatAmount(draft.amount) })}</p>
      </div>
      <div className={styles.foot}>
        <Button variant="hero" wide onClick={viewWallet}>
          {t("completion.viewWallet")}
        </Button>
      </div>
    </main>
  );
}
