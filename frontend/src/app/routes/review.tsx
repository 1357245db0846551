import { useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { FriendCard } from "@/features/wallet/components/FriendCard";
import { StubFact, Ticket } from "@/features/wallet/components/Ticket";
import { WithdrawalFacts, WithdrawalNotice } from "@/features/wallet/components/WithdrawalFacts";
import { type Draft, isPaid, lacksFriend, parseDraft, parseType } from "@/features/wallet/draft";
import { useMethodChoice } from "@/features/wallet/hooks/useMethodChoice";
import { useWithdrawalCost } from "@/features/wallet/hooks/useWithdrawalCost";
import { paymentKinds } from "@/features/wallet/kinds";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";

const MethodSheet = lazyOverlay(
  async () => (await import("@/features/wallet/components/MethodSheet")).MethodSheet,
);

function Review({ draft }: { readonly draft: Draft }) {
  const navigate = useNavigate();
  const label = t(paymentKinds[draft.type].label);
  const choice = useMethodChoice(draft, (next) => {
    void navigate(paths.pay, { replace: true, state: next, viewTransition: true });
  });
  const isWithdrawal = draft.type === "WITHDRAWAL";
  const cost = useWithdrawalCost(isWithdrawal ? draft.amount : null);
  const edit = () => navigate(paths.amount, { replace: true, state: { ...draft }, viewTransition: true });

  return (
    <Screen
      title={t("pay.review.title")}
      back={() => void edit()}
      footer={
        <Button wide aria-disabled={!cost.isPayable} onClick={() => cost.isPayable && choice.open()}>
          {t("pay.review.proceed")}
        </Button>
      }
    >
      <Ticket kind={label} amount={draft.amount}>
        <StubFact name={t("pay.review.type")}>{label}</StubFact>
        <StubFact name={t("pay.review.amount")}>{formatKes(draft.amount)}</StubFact>
        {isWithdrawal ? (
          <WithdrawalFacts cost={cost} />
        ) : (
          <StubFact name={t("pay.review.to")}>
            {draft.type === "BOOST"
              ? t("pay.review.friend", { name: draft.friendUsername ?? "" })
              : t("pay.review.wallet")}
          </StubFact>
        )}
      </Ticket>
      {isWithdrawal ? <WithdrawalNotice cost={cost} /> : null}
      {draft.type === "BOOST" ? <FriendCard draft={draft} /> : null}
      {choice.isOpen ? <MethodSheet draft={draft} onChoose={choice.choose} onClose={choice.close} /> : null}
    </Screen>
  );
}

/** The payment before a method is chosen. Without a type or an amount it redirects to the amount. */
export function Component() {
  const { state } = useLocation();
  const draft = parseDraft(state);
  const [wasPaid] = useState(() => draft !== null && isPaid(draft));
  if (wasPaid) return <Navigate to={paths.wallet} replace />;
  // The amount's screen redirects to the username, and says why.
  if (draft && lacksFriend(draft)) return <Navigate to={paths.amount} replace state={{ type: "BOOST" }} />;
  if (draft?.type === "SUBSCRIPTION") return <Navigate to={paths.subscriptions} replace />;
  if (!draft) {
    const type = parseType(state);
    return <Navigate to={paths.amount} replace {...(type ? { state: { type } } : {})} />;
  }
  return <Review draft={draft} />;
}
