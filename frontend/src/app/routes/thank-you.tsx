import { Navigate, useLocation } from "react-router";
import { paths } from "@/app/paths";
import { parseDraft } from "@/features/wallet/draft";
import { paymentKinds } from "@/features/wallet/kinds";
import { formatAmount, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useReturn } from "@/lib/navigation";
import { useReady } from "@/lib/ready";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { Celebration } from "@/ui/Celebration";

/** The world of the celebration for each kind of payment. */
const worlds = { "TOP-UP": "ajua", WITHDRAWAL: "ajua", BOOST: "maneno", SUBSCRIPTION: "dash" } as const;

/**
 * Thanks for a completed payment: the waiting screen leads here only then. Without a draft it redirects to the wallet.
 */
export function Component() {
  const { state } = useLocation();
  useTitle(t("completion.thanks"));
  const viewWallet = useReturn(paths.wallet);
  const toPasses = useReturn(paths.subscriptions);
  const isReady = useReady();
  const draft = parseDraft(state);
  if (!draft) return <Navigate to={paths.wallet} replace />;
  const kind = paymentKinds[draft.type];
  const isPass = kind.leadsTo === "subscriptions";
  return (
    <Celebration
      page
      world={worlds[draft.type]}
      figure={formatKes(draft.amount)}
      title={t(kind.thanksTitle)}
      text={t(kind.thanksText, { amount: formatAmount(draft.amount) })}
    >
      {isPass ? (
        <Button wide aria-disabled={!isReady} onClick={() => isReady && toPasses()}>
          {t("passes.title")}
        </Button>
      ) : null}
      <Button
        wide
        variant={isPass ? "quiet" : "primary"}
        aria-disabled={!isReady}
        onClick={() => isReady && viewWallet()}
      >
        {t("completion.viewWallet")}
      </Button>
    </Celebration>
  );
}
