import { useEffect, useEffectEvent, useId, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { waitingPath } from "@/app/links";
import { paths } from "@/app/paths";
import { ConfirmForm, ConfirmTicket } from "@/features/wallet/components/ConfirmForm";
import { FriendCard } from "@/features/wallet/components/FriendCard";
import { type Draft, isPaid, lacksFriend, parseDraft } from "@/features/wallet/draft";
import { usePay } from "@/features/wallet/hooks/usePay";
import { nextStep } from "@/features/wallet/kinds";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useGoBack, useOverlay, useReturn } from "@/lib/navigation";
import type { Player } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";
import styles from "./pay.module.css";

/** The name of the dialog in the navigation state. */
const DEVICE = "device";

const ConfirmDeviceDialog = lazyOverlay(
  async () => (await import("@/features/auth/components/ConfirmDeviceDialog")).ConfirmDeviceDialog,
);

interface PayProps {
  readonly draft: Draft;
  readonly player: Player;
  readonly paymentMethodId: string;
}

function PayScreen({ draft, player, paymentMethodId }: PayProps) {
  const formId = useId();
  const toPasses = useReturn(paths.subscriptions);
  const isByPhone = draft.paymentMethod === "MPESA";
  const isWithdrawal = draft.type === "WITHDRAWAL";
  const navigate = useNavigate();
  const overlay = useOverlay();
  const [isConfirmed, setConfirmed] = useState(false);
  const { pay, payAgain, isPending, unsettled } = usePay({
    draft,
    paymentMethodId,
    uid: player.uid,
    // The waiting screen replaces this form, so that back does not reopen it. This form stays visible until that screen
    // has loaded. A payment from the wallet is completed at once.
    onAccepted: async ({ paymentId, status }, paid) =>
      navigate(status === "COMPLETED" ? paths.thankYou : waitingPath(paymentId), {
        replace: true,
        state: paid,
        viewTransition: true,
      }),
    onUnconfirmed: () => overlay.show(DEVICE),
  });
  const isAsked = overlay.current === DEVICE;
  const pressAgain = useEffectEvent(payAgain);
  useEffect(() => {
    // The dialog is a history entry itself: the next screen replaces this one only after that entry is gone.
    if (!isConfirmed || isAsked) return;
    setConfirmed(false);
    pressAgain();
  }, [isConfirmed, isAsked]);
  const onConfirmed = () => {
    setConfirmed(true);
    overlay.hide();
  };
  return (
    <Screen
      title={t("pay.confirm.title")}
      back={() =>
        draft.type === "SUBSCRIPTION"
          ? toPasses()
          : void navigate(paths.review, { replace: true, state: draft, viewTransition: true })
      }
      footer={
        <>
          <p className={styles.safe} role="status">
            {unsettled ? messageOf(unsettled) : t("pay.confirm.safe")}
          </p>
          <Button
            {...(isByPhone ? { type: "submit", form: formId } : { onClick: () => pay(null) })}
            wide
            busy={isPending}
          >
            {t(isWithdrawal ? "pay.confirm.withdraw" : "pay.confirm.pay", {
              amount: formatKes(draft.amount),
            })}
          </Button>
        </>
      }
    >
      {isByPhone ? (
        <ConfirmForm
          draft={draft}
          methodName={draft.paymentMethodName ?? "M-Pesa"}
          phone={player.phone ?? ""}
          formId={formId}
          onPay={pay}
        />
      ) : (
        <ConfirmTicket draft={draft} />
      )}
      {draft.type === "BOOST" ? <FriendCard draft={draft} /> : null}
      {isAsked ? <ConfirmDeviceDialog onClose={overlay.hide} onConfirmed={onConfirmed} /> : null}
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
  const step = draft?.paymentMethod ? nextStep(draft.type, draft.paymentMethod) : null;
  const payable = (step === "phone" || step === "confirm") && !wasPaid && !lacksFriend(draft) ? draft : null;
  const methodId = payable?.paymentMethodId;
  useEffect(() => {
    if (!methodId) goBack();
  }, [methodId, goBack]);
  if (!payable || !methodId || !player) return null;
  return <PayScreen draft={payable} player={player} paymentMethodId={methodId} />;
}
