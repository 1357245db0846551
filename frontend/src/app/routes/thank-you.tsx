import { Navigate, useLocation } from "react-router";
import { paths } from "@/app/paths";
import { parseDraft } from "@/features/wallet/draft";
import { paymentKinds } from "@/features/wallet/kinds";
import { formatAmount, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useReturn } from "@/lib/navigation";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { Duma } from "@/ui/Duma";
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
        <div className={styles.duma}>
          <Duma pose="cheer" size={240} />
        </div>
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
