import { useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { AmountEntry } from "@/features/wallet/components/AmountEntry";
import { FriendCard } from "@/features/wallet/components/FriendCard";
import { Withdrawable } from "@/features/wallet/components/Withdrawable";
import { lacksFriend, parseDraft, parseTexts, parseType } from "@/features/wallet/draft";
import { type PaymentType, paymentKinds } from "@/features/wallet/kinds";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Screen } from "@/ui/Screen";

/** Used when the navigation state has no type: a top-up needs nothing but an amount. */
const DEFAULT_TYPE: PaymentType = "TOP-UP";

/** The amount. A boost without a friend redirects to the username. */
export function Component() {
  const { state } = useLocation();
  if (lacksFriend(state)) return <NoFriend />;
  return <Amount />;
}

function NoFriend() {
  useEffect(() => toast.error(t("boost.redirected")), []);
  return <Navigate to={paths.boost} replace />;
}

function Amount() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const type = parseType(state) ?? DEFAULT_TYPE;
  const [amount, setAmount] = useState(() => parseDraft(state)?.amount ?? 0);
  const enough = amount >= paymentKinds[type].min;
  // The screens of a payment replace each other in the history, so that back leaves the payment and never reopens a form
  // that would pay again. Their back arrows lead from one to the other.
  const review = () =>
    navigate(paths.review, {
      replace: true,
      state: { type, amount, ...parseTexts(state), id: crypto.randomUUID() },
      viewTransition: true,
    });
  return (
    <Screen
      title={t("pay.amount.title", { type: t(paymentKinds[type].label) })}
      back={paths.wallet}
      footer={
        <Button wide aria-disabled={!enough} onClick={() => enough && void review()}>
          {t("pay.amount.review")}
        </Button>
      }
    >
      {type === "BOOST" ? <FriendCard draft={parseTexts(state)} /> : null}
      {type === "WITHDRAWAL" ? <Withdrawable onAll={setAmount} /> : null}
      <AmountEntry type={type} amount={amount} onChange={setAmount} onEnter={() => enough && void review()} />
    </Screen>
  );
}
