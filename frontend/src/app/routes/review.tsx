import { lazy, Suspense } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import type { PaymentMethod } from "@/features/wallet/api";
import { type Draft, draftIn, kinds, typeIn } from "@/features/wallet/draft";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { usePlayer } from "@/lib/session/useSession";
import { Button } from "@/ui/Button";
import { Fact, Facts } from "@/ui/Rows";
import { Screen } from "@/ui/Screen";
import styles from "./review.module.css";

const MethodSheet = lazy(async () => ({
  default: (await import("@/features/wallet/MethodSheet")).MethodSheet,
}));

function Review({ draft }: { readonly draft: Draft }) {
  const navigate = useNavigate();
  const overlay = useOverlay();
  const player = usePlayer();
  const choose = (method: PaymentMethod) => {
    const next = {
      ...draft,
      ...(player ? { userId: player.uid } : {}),
      paymentMethod: method.code,
      paymentMethodName: method.name,
      paymentMethodId: method.id,
    };
    // In the place of the open sheet, so that back leads to the review and not to the sheet.
    void navigate(paths.pay, { replace: true, state: next, viewTransition: true });
  };
  return (
    <Screen
      title={t("pay.review.title")}
      back={paths.amount}
      footer={
        <Button wide onClick={() => overlay.show("methods")}>
          {t("pay.review.proceed")}
        </Button>
      }
    >
      <p className={styles.amount}>{formatKes(draft.amount)}</p>
      <Facts>
        <Fact name={t("pay.review.type")}>{t(kinds[draft.type].label)}</Fact>
        <Fact name={t("pay.review.amount")}>{formatKes(draft.amount)}</Fact>
        <Fact name={t("pay.review.to")}>{t("pay.review.wallet")}</Fact>
      </Facts>
      <Suspense>
        {overlay.current === "methods" ? (
          <MethodSheet type={draft.type} onChoose={choose} onClose={overlay.hide} />
        ) : null}
      </Suspense>
    </Screen>
  );
}

/** What is about to be paid. Without a type or an amount there is nothing to review. */
export function Component() {
  const { state } = useLocation();
  const draft = draftIn(state);
  if (!draft) {
    const type = typeIn(state);
    return <Navigate to={paths.amount} replace {...(type ? { state: { type } } : {})} />;
  }
  return <Review draft={draft} />;
}
