import { useEffect, useId, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths, waitingPath } from "@/app/paths";
import { ConfirmForm } from "@/features/wallet/ConfirmForm";
import { type Draft, isPaid, markPaid, parseDraft } from "@/features/wallet/draft";
import { addPendingPayment } from "@/features/wallet/pendingStore";
import { useTopUp } from "@/features/wallet/useWallet";
import { formatKes } from "@/lib/format";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import type { Player } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { messageOf, toast } from "@/lib/toast";
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
  // Set on the press itself: a second press may come before the button renders as busy.
  const submitted = useRef(false);
  const allowRetry = () => {
    submitted.current = false;
  };
  const topUp = useTopUp(async ({ paymentId, status, message }, { mpesaPhoneNumber }) => {
    if (status === "ERROR") {
      allowRetry();
      toast.error(message || t("waiting.errorText"));
      return;
    }
    const state = { ...draft, mpesaPhoneNumber };
    markPaid(draft);
    addPendingPayment({ paymentId, uid: player.uid, amount: draft.amount, mpesaPhoneNumber });
    // The waiting screen replaces this form, so that back does not reopen it. The mutation stays pending until the
    // navigation is done, because this form is visible until the waiting screen has loaded.
    await navigate(waitingPath(paymentId), { replace: true, state, viewTransition: true });
  });
  const pay = (mpesaPhoneNumber: string) => {
    if (submitted.current) return;
    submitted.current = true;
    topUp.mutate(
      {
        paymentMethodId,
        amount: draft.amount,
        mpesaPhoneNumber,
        // The session's player, not the draft's: the draft may be another player's from before the sign-in.
        userId: player.uid,
      },
      { onError: allowRetry },
    );
  };
  // Stays on the screen, unlike its toast: the player must know what to check before paying again.
  const { error } = topUp;
  const unsettled = error instanceof Fault && !error.refused ? error : null;
  return (
    <Screen
      title={t("pay.confirm.title")}
      back={() => void navigate(paths.review, { replace: true, state: draft, viewTransition: true })}
      footer={
        <>
          <p className={styles.safe} role="status">
            {unsettled ? messageOf(unsettled) : t("pay.confirm.safe")}
          </p>
          <Button type="submit" form={formId} wide busy={topUp.isPending}>
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
  const payable = draft?.paymentMethod === "MPESA" && !wasPaid ? draft : null;
  const methodId = payable?.paymentMethodId;
  useEffect(() => {
    if (!methodId) goBack();
  }, [methodId, goBack]);
  if (!payable || !methodId || !player) return null;
  return <PayByMpesa draft={payable} player={player} paymentMethodId={methodId} />;
}
