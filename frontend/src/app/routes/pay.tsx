import { useEffect, useId, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths, waitingPath } from "@/app/paths";
import { ConfirmForm } from "@/features/wallet/components/ConfirmForm";
import { type Draft, isPaid, parseDraft } from "@/features/wallet/draft";
import { usePay } from "@/features/wallet/hooks/usePay";
import { nextStep } from "@/features/wallet/kinds";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import type { Player } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Screen } from "@/ui/Screen";
import styles from "./pay.module.css";

interface PayProps {
  readonly draft: Draft;
  readonly player: Player;
  readonly paymentMethodId: string;
}

function PayByMpesa({ draft, player, paymentMethodId }: PayProps) {
  const formId = useId();
  const navigate = useNavigate();
  const { pay, isPending, unsettled } = usePay({
    draft,
    paymentMethodId,
    uid: player.uid,
    // The waiting screen replaces this form, so that back does not reopen it. This form is visible until it has loaded.
    onAccepted: async (paymentId, paid) =>
      navigate(waitingPath(paymentId), { replace: true, state: paid, viewTransition: true }),
  });
  return (
    <Screen
      title={t("pay.confirm.title")}
      back={() => void navigate(paths.review, { replace: true, state: draft, viewTransition: true })}
      footer={
        <>
          <p className={styles.safe} role="status">
            {unsettled ? messageOf(unsettled) : t("pay.confirm.safe")}
          </p>
          <Button type="submit" form={formId} wide busy={isPending}>
            {t("pay.confirm.pay", { amount: formatKes(draft.amount) })}
          </Button>
        </>
      }
    >
      <ConfirmForm
        draft={draft}
        methodName={draft.paymentMethodName ?? "M-Pesa"}
        phone={player.phone ?? ""}
        formId={formId}
        onPay={pay}
      />
    </Screen>
  );
}

/** The last step before a payment. Goes back without a draft, or when the draft is paid already. */
export function Component() {
  const { state } = useLocation();
  const player = usePlayer();
  const goBack = useGoBack(paths.wallet);
  const draft = parseDraft(state);
  const [wasPaid] = useState(() => draft !== null && isPaid(draft));
  const isPayable = draft?.paymentMethod && nextStep(draft.type, draft.paymentMethod) === "phone";
  const payable = isPayable && !wasPaid ? draft : null;
  const methodId = payable?.paymentMethodId;
  useEffect(() => {
    if (!methodId) goBack();
  }, [methodId, goBack]);
  if (!payable || !methodId || !player) return null;
  return <PayByMpesa draft={payable} player={player} paymentMethodId={methodId} />;
}
