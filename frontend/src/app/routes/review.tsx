import { useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import type { PaymentMethod } from "@/features/wallet/api/requests";
import { StubFact, Ticket } from "@/features/wallet/components/Ticket";
import { type Draft, isPaid, parseDraft, parseType } from "@/features/wallet/draft";
import { nextStep, paymentKinds } from "@/features/wallet/kinds";
import { rememberMethod } from "@/features/wallet/lastMethod";
import { methodName } from "@/features/wallet/methodName";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";

const MethodSheet = lazyOverlay(
  async () => (await import("@/features/wallet/components/MethodSheet")).MethodSheet,
);

const METHODS = "methods";

function Review({ draft }: { readonly draft: Draft }) {
  const navigate = useNavigate();
  const overlay = useOverlay();
  const label = t(paymentKinds[draft.type].label);
  const [chosen, setChosen] = useState<PaymentMethod | null>(null);
  const isSheetOpen = overlay.current === METHODS;
  const choose = (method: PaymentMethod) => {
    if (nextStep(draft.type, method.code) !== "phone")
      return toast.info(t("pay.method.soon", { method: methodName(method) }));
    rememberMethod(method.code);
    setChosen(method);
    overlay.hide();
  };
  const edit = () => navigate(paths.amount, { replace: true, state: { ...draft }, viewTransition: true });

  useEffect(() => {
    // The sheet is a history entry itself: the next screen replaces this one only after the sheet's entry is gone.
    if (!chosen || isSheetOpen) return;
    setChosen(null);
    const next: Draft = {
      ...draft,
      paymentMethod: chosen.code,
      paymentMethodName: chosen.name,
      paymentMethodId: chosen.id,
    };
    void navigate(paths.pay, { replace: true, state: next, viewTransition: true });
  }, [chosen, isSheetOpen, draft, navigate]);

  return (
    <Screen
      title={t("pay.review.title")}
      back={() => void edit()}
      footer={
        <Button wide onClick={() => overlay.show(METHODS)}>
          {t("pay.review.proceed")}
        </Button>
      }
    >
      <Ticket kind={label} amount={draft.amount}>
        <StubFact name={t("pay.review.type")}>{label}</StubFact>
        <StubFact name={t("pay.review.amount")}>{formatKes(draft.amount)}</StubFact>
        <StubFact name={t("pay.review.to")}>{t("pay.review.wallet")}</StubFact>
      </Ticket>
      {isSheetOpen ? <MethodSheet draft={draft} onChoose={choose} onClose={overlay.hide} /> : null}
    </Screen>
  );
}

/** The payment before a method is chosen. Without a type or an amount it redirects to the amount. */
export function Component() {
  const { state } = useLocation();
  const draft = parseDraft(state);
  const [wasPaid] = useState(() => draft !== null && isPaid(draft));
  if (wasPaid) return <Navigate to={paths.wallet} replace />;
  if (!draft) {
    const type = parseType(state);
    return <Navigate to={paths.amount} replace {...(type ? { state: { type } } : {})} />;
  }
  return <Review draft={draft} />;
}
