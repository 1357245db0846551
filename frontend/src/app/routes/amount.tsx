import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { AmountEntry } from "@/features/wallet/AmountEntry";
import { draftIn, kinds, type PaymentType, typeIn } from "@/features/wallet/draft";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { Screen } from "@/ui/Screen";

/** The one type that needs nothing but an amount, for an arrival that names none. */
const DEFAULT_TYPE: PaymentType = "TOP-UP";

export function Component() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const type = typeIn(state) ?? DEFAULT_TYPE;
  const [amount, setAmount] = useState(() => draftIn(state)?.amount ?? 0);
  const enough = amount >= kinds[type].least;
  const review = async () => {
    // Coming back to this step finds the amount as it was left.
    await navigate(".", { replace: true, state: { type, amount } });
    await navigate(paths.review, { state: { type, amount }, viewTransition: true });
  };
  return (
    <Screen
      title={t("pay.amount.title", { type: t(kinds[type].label) })}
      back={paths.wallet}
      footer={
        <Button wide aria-disabled={!enough} onClick={() => enough && void review()}>
          {t("pay.amount.review")}
        </Button>
      }
    >
      <AmountEntry type={type} amount={amount} onChange={setAmount} />
    </Screen>
  );
}
