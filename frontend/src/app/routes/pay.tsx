import { useEffect, useId, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths, waitingFor } from "@/app/paths";
import { ConfirmForm } from "@/features/wallet/ConfirmForm";
import { type Draft, draftIn, isPaid, markPaid } from "@/features/wallet/draft";
import { keepUnderway } from "@/features/wallet/underway";
import { useTopUp } from "@/features/wallet/useWallet";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import type { Player } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { toast } from "@/lib/toast";
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
  // A tap is counted where it happens: the next render, which shows the button busy, may come after a second one.
  const asked = useRef(false);
  const askAgain = () => {
    asked.current = false;
  };
  const topUp = useTopUp(async ({ paymentId, status, message }, { mpesaPhoneNumber }) => {
    if (status === "ERROR") {
      askAgain();
      toast.error(message || t("waiting.errorText"));
      return;
    }
    const state = { ...draft, mpesaPhoneNumber };
    markPaid(draft);
    keepUnderway({ paymentId, uid: player.uid, amount: draft.amount, mpesaPhoneNumber });
    // Back from the waiting screen must not lead to a form that pays again. Nor must this form, which stays
    // in sight until that screen is loaded: the mutation is not over before the navigation is.
    await navigate(waitingFor(paymentId), { replace: true, state, viewTransition: true });
  });
  const pay = (mpesaPhoneNumber: string) => {
    if (asked.current) return;
    asked.current = true;
    topUp.mutate(
      {
        paymentMethodId,
        amount: draft.amount,
        mpesaPhoneNumber,
        // Whose wallet it is for, the session says: a draft may be older than it, and somebody else's.
        userId: player.uid,
      },
      { onError: askAgain },
    );
  };
  return (
    <Screen
      title={t("pay.confirm.title")}
      back={() => void navigate(paths.review, { replace: true, state: draft, viewTransition: true })}
      footer={
        <>
          <p className={styles.safe}>{t("pay.confirm.safe")}</p>
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

/** The last step before money moves. Without a draft, or with one that is paid, it goes back. */
export function Component() {
  const { state } = useLocation();
  const player = usePlayer();
  const goBack = useGoBack(paths.wallet);
  const draft = draftIn(state);
  const [wasPaid] = useState(() => draft !== null && isPaid(draft));
  const payable = draft?.paymentMethod === "MPESA" && !wasPaid ? draft : null;
  const methodId = payable?.paymentMethodId;
  useEffect(() => {
    if (!methodId) goBack();
  }, [methodId, goBack]);
  if (!payable || !methodId || !player) return null;
  return <PayByMpesa draft={payable} player={player} paymentMethodId={methodId} />;
}
