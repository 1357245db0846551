import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { waitingPath } from "@/app/links";
import { paths } from "@/app/paths";
import { CostFacts, DutyFacts, WithdrawalNotice } from "@/features/wallet/components/CostFacts";
import { FriendCard } from "@/features/wallet/components/FriendCard";
import { MethodField } from "@/features/wallet/components/MethodField";
import { PhoneForm } from "@/features/wallet/components/PhoneForm";
import { StubFact, Ticket } from "@/features/wallet/components/Ticket";
import { type Draft, isPaid, lacksFriend, parseDraft, parseType, typedPhone } from "@/features/wallet/draft";
import { useMethodChoice } from "@/features/wallet/hooks/useMethodChoice";
import { usePay } from "@/features/wallet/hooks/usePay";
import { usePayoutCode } from "@/features/wallet/hooks/usePayoutCode";
import { usePayoutPhoneNote } from "@/features/wallet/hooks/usePayoutPhoneNote";
import { useMethods } from "@/features/wallet/hooks/useWallet";
import { useWithdrawalCost } from "@/features/wallet/hooks/useWithdrawalCost";
import { nextStep, paymentKinds } from "@/features/wallet/kinds";
import type { Question } from "@/features/wallet/question";
import { formatCount, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useOverlay, useReturn } from "@/lib/navigation";
import { barePhone, maskPhone } from "@/lib/phone";
import { useLastError } from "@/lib/recovery";
import type { Player } from "@/lib/session/player";
import { usePlayer } from "@/lib/session/useSession";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Failed } from "@/ui/Failed";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Screen } from "@/ui/Screen";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./review.module.css";

const MethodSheet = lazyOverlay(
  async () => (await import("@/features/wallet/components/MethodSheet")).MethodSheet,
);
const ConfirmDeviceDialog = lazyOverlay(
  async () => (await import("@/features/auth/components/ConfirmDeviceDialog")).ConfirmDeviceDialog,
);
const ProvePayoutPhoneDialog = lazyOverlay(
  async () => (await import("@/app/dialogs/ProvePayoutPhoneDialog")).ProvePayoutPhoneDialog,
);

/** The names of the dialogs in the navigation state. */
const DEVICE = "device" satisfies Question;
const PAYOUT_PHONE = "payoutPhone" satisfies Question;

/** The title of a payment, with the package's name for a subscription. */
function titleOf({ type, packageName }: Draft): string {
  const label = t(paymentKinds[type].label);
  return packageName ? `${label} · ${packageName}` : label;
}

interface ReviewProps {
  readonly draft: Draft;
  readonly player: Player;
}

/** The whole payment: what it is for, what it costs, its method, and the button that pays. */
function Review({ draft, player }: ReviewProps) {
  const navigate = useNavigate();
  const formId = useId();
  const amountId = useId();
  const overlay = useOverlay();
  const toPasses = useReturn(paths.subscriptions);
  const methods = useMethods();
  const methodsError = useLastError(methods);
  const { method, ...sheet } = useMethodChoice(draft);
  const isWithdrawal = draft.type === "WITHDRAWAL";
  const cost = useWithdrawalCost(isWithdrawal ? draft.amount : null);
  const [isConfirmed, setConfirmed] = useState(false);
  const phone = typedPhone(draft, player.uid) ?? player.phone ?? "";
  const payoutCode = usePayoutCode(player.uid, phone);
  const payoutNote = usePayoutPhoneNote(isWithdrawal);
  const { pay, isPending, unsettled } = usePay({
    draft: method ? { ...draft, paymentMethod: method.code, paymentMethodId: method.id } : draft,
    uid: player.uid,
    // The waiting screen replaces this one, so that back does not reopen it. This one stays visible until that screen has
    // loaded. A payment from the wallet is completed at once.
    onAccepted: async ({ paymentId, status }, paid) =>
      navigate(status === "COMPLETED" ? paths.thankYou : waitingPath(paymentId), {
        replace: true,
        state: paid,
        viewTransition: true,
      }),
    onQuestion: (question) => {
      if (question === PAYOUT_PHONE) payoutCode.ask();
      overlay.show(question);
    },
  });
  const step = method ? nextStep(draft.type, method.code) : null;
  const isAsked = overlay.current === DEVICE || overlay.current === PAYOUT_PHONE;
  const isKnown = method !== undefined;
  const pressAgain = useEffectEvent(() => pay(step === "phone" ? barePhone(phone) : null));
  useEffect(() => {
    // The dialog is a history entry itself: the next screen replaces this one only after that entry is gone. After a
    // reload the methods may not be known yet.
    if (!isConfirmed || isAsked || !isKnown) return;
    setConfirmed(false);
    pressAgain();
  }, [isConfirmed, isAsked, isKnown]);
  const onConfirmed = () => {
    setConfirmed(true);
    overlay.hide();
  };
  const lastTyped = useRef<string | null>(null);
  const withPhone = (typed: string) => ({ ...draft, mpesaPhoneNumber: typed, phoneUid: player.uid });
  // The number is kept in the history entry, for a reload and for the way to the amount and back. Neither a dialog's
  // entry nor the way to the waiting screen may be replaced.
  const keepPhone = (typed: string) => {
    lastTyped.current = typed;
    if (typed === phone || isPending || overlay.current !== undefined) return;
    void navigate(paths.review, { replace: true, state: withPhone(typed), preventScrollReset: true });
  };
  // A tap on Back leaves the field, too: this screen has no draft with the number yet.
  const edit = () => {
    const state = lastTyped.current === null ? draft : withPhone(lastTyped.current);
    return navigate(paths.amount, { replace: true, state, viewTransition: true });
  };

  const canPress = method !== undefined && cost.isPayable;
  return (
    <Screen
      title={t("pay.review.title")}
      back={() => (draft.type === "SUBSCRIPTION" ? toPasses() : void edit())}
      footer={
        <>
          {unsettled ? (
            <p className={styles.note} role="status">
              {messageOf(unsettled)}
            </p>
          ) : null}
          {/* Both are one element, so that the focus comes back to it from the sheet. */}
          {method === null ? (
            <Button wide onClick={sheet.open}>
              {t("pay.review.proceed")}
            </Button>
          ) : (
            <Button
              wide
              busy={isPending}
              aria-disabled={!canPress}
              {...(step === "phone" && canPress
                ? { type: "submit", form: formId }
                : { onClick: () => canPress && pay(null) })}
            >
              {step === "airtime"
                ? t("airtime.go")
                : t(isWithdrawal ? "pay.confirm.withdraw" : "pay.confirm.pay", {
                    amount: formatKes(draft.amount),
                  })}
            </Button>
          )}
        </>
      }
    >
      <Ticket kind={titleOf(draft)} amount={draft.amount} amountId={amountId}>
        {draft.type === "TOP-UP" ? (
          <StubFact name={t("pay.review.to")}>{t("pay.review.wallet")}</StubFact>
        ) : draft.type === "BOOST" ? (
          <StubFact name={t("pay.review.to")}>
            {t("pay.review.friend", { name: draft.friendUsername ?? "" })}
          </StubFact>
        ) : null}
        <CostFacts
          name={t(isWithdrawal ? "pay.review.fees" : "receipt.fee")}
          fee={isWithdrawal ? cost.fee : 0}
          total={isWithdrawal ? cost.total : draft.amount}
          isUnknown={cost.error !== null}
        />
        {draft.type === "TOP-UP" || (draft.type === "BOOST" && method && method.code !== "WALLET") ? (
          <DutyFacts amount={draft.amount} />
        ) : null}
      </Ticket>
      {isWithdrawal && method ? <WithdrawalNotice cost={cost} /> : null}
      {draft.type === "BOOST" ? <FriendCard draft={draft} /> : null}
      {method ? (
        <MethodField method={method} isFixed={isPending || unsettled !== null} onChange={sheet.open} />
      ) : method === undefined && methodsError ? (
        <Failed error={methodsError} busy={methods.isFetching} onRetry={() => void methods.refetch()} />
      ) : method === undefined ? (
        <Skeleton height={64} radius={16} />
      ) : null}
      {step === "phone" ? (
        <PhoneForm
          id={formId}
          labelledBy={amountId}
          phone={phone}
          hint={t(isWithdrawal ? "pay.confirm.hintOut" : "pay.confirm.hint")}
          {...(isWithdrawal ? { noteOf: payoutNote } : {})}
          onTyped={keepPhone}
          onPay={(typed) => canPress && pay(typed)}
        />
      ) : null}
      {step === "airtime" ? <p>{t("airtime.text", { amount: formatCount(draft.amount) })}</p> : null}
      {step === "airtime" && player.phone ? (
        <p>{t("airtime.phone", { phone: maskPhone(player.phone) })}</p>
      ) : null}
      {step && !unsettled ? <p className={styles.note}>{t("pay.confirm.safe")}</p> : null}
      {sheet.isOpen ? <MethodSheet draft={draft} onChoose={sheet.choose} onClose={sheet.close} /> : null}
      {overlay.current === DEVICE ? (
        <ConfirmDeviceDialog onClose={overlay.hide} onConfirmed={onConfirmed} />
      ) : null}
      {overlay.current === PAYOUT_PHONE ? (
        <ProvePayoutPhoneDialog
          code={payoutCode}
          outcome={t("payout.nothing")}
          onClose={overlay.hide}
          onConfirmed={onConfirmed}
        />
      ) : null}
    </Screen>
  );
}

/**
 * The last step before a payment. Without a type or an amount it redirects to the amount; a subscription comes from its
 * packages, and a paid draft leads to where its payment ended.
 */
export function Component() {
  const { state } = useLocation();
  const player = usePlayer();
  const draft = parseDraft(state);
  const [wasPaid] = useState(() => draft !== null && isPaid(draft));
  if (!draft) {
    const type = parseType(state);
    return <Navigate to={paths.amount} replace {...(type ? { state: { type } } : {})} />;
  }
  if (wasPaid) return <Navigate to={paths[paymentKinds[draft.type].leadsTo]} replace />;
  // The amount's screen redirects to the username, and says why.
  if (lacksFriend(draft)) return <Navigate to={paths.amount} replace state={{ type: "BOOST" }} />;
  if (draft.type === "SUBSCRIPTION" && !draft.subscriptionPackageId)
    return <Navigate to={paths.subscriptions} replace />;
  return player ? <Review draft={draft} player={player} /> : null;
}
