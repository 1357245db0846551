import { ArrowLeft, ExternalLink, Info, Timer } from "lucide-react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { paymentIdIn } from "@/app/links";
import { loginFrom, paths } from "@/app/paths";
import { PaymentSteps } from "@/features/wallet/components/PaymentSteps";
import { ProgressFigure } from "@/features/wallet/components/ProgressFigure";
import { type Draft, parseDraft } from "@/features/wallet/draft";
import type { Progress } from "@/features/wallet/followPayment";
import { usePaymentWait } from "@/features/wallet/hooks/usePaymentWait";
import { useWaitingDraft } from "@/features/wallet/hooks/useWaitingDraft";
import { paymentKinds } from "@/features/wallet/kinds";
import { formatElapsed, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useReturn } from "@/lib/navigation";
import { maskPhone } from "@/lib/phone";
import { useReady } from "@/lib/ready";
import { useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { Button, IconButton } from "@/ui/Button";
import styles from "./waiting.module.css";

function titleOf({ status, heldUntil }: Progress, draft: Draft | null): string {
  if (heldUntil) return t("waiting.held");
  switch (status) {
    case "PENDING":
      if (draft?.paymentMethod === "CARD") return t("waiting.card");
      if (draft?.type === "WITHDRAWAL") return t("waiting.sendingOut");
      return t("waiting.sending");
    case "IN_PROGRESS":
      if (draft?.type === "WITHDRAWAL") return t("waiting.sendingOut");
      if (draft?.paymentMethod === "CARD") return t("waiting.card");
      if (draft?.paymentMethod === "SAFARICOM_CREDIT") return t("waiting.airtime");
      return draft?.mpesaPhoneNumber
        ? t("waiting.pin", { phone: maskPhone(draft.mpesaPhoneNumber) })
        : t("waiting.pinAnywhere");
    case "COMPLETED":
      return t("waiting.completed");
    case "ERROR":
      return t("waiting.error");
  }
}

/** The text that says how a payment ended, or why it is held. */
function textOf({ status, message, heldUntil }: Progress, draft: Draft | null): string {
  if (heldUntil) return message;
  if (status === "ERROR") return message || t("waiting.errorText");
  const kind = paymentKinds[draft?.type ?? "TOP-UP"];
  return draft ? t(kind.completed, { amount: formatKes(draft.amount) }) : t(kind.completedPlain);
}

const buttons = {
  PENDING: "waiting.cancel",
  IN_PROGRESS: "waiting.cancel",
  COMPLETED: "waiting.continue",
  ERROR: "waiting.goBack",
} as const;

function Waiting({ paymentId }: { readonly paymentId: string }) {
  const navigate = useNavigate();
  const toWallet = useReturn(paths.wallet);
  const toPasses = useReturn(paths.subscriptions);
  const { draft, cardUrl } = useWaitingDraft(paymentId, parseDraft(useLocation().state));
  const { progress, isOpen, isPaused, elapsed } = usePaymentWait(paymentId, () => leave());
  const { status } = progress;
  const isHeld = Boolean(progress.heldUntil);
  const isRunning = isOpen && !isHeld;
  const isReady = useReady();
  useTitle(t("waiting.title"));

  // After a new payment the thank-you screen follows; a payment opened from the wallet returns there.
  const leave = () => {
    if (status !== "COMPLETED" || !draft) return draft?.type === "SUBSCRIPTION" ? toPasses() : toWallet();
    const { type, amount, previousPath } = draft;
    const state = { type, amount, ...(previousPath ? { previousPath } : {}) };
    void navigate(paths.thankYou, { replace: true, viewTransition: true, state });
  };

  const type = draft?.type ?? "TOP-UP";
  return (
    <div className={styles.waiting}>
      <header className={styles.header}>
        <IconButton label={t("ui.back")} onClick={leave}>
          <ArrowLeft strokeWidth={2.25} />
        </IconButton>
        <p className={styles.kind}>{t(paymentKinds[type].label)}</p>
        {isRunning ? (
          <p className={styles.elapsed}>
            <Timer size={18} strokeWidth={2.25} aria-hidden="true" />
            {t("waiting.elapsed", { time: formatElapsed(elapsed) })}
          </p>
        ) : null}
      </header>
      <main className={styles.main}>
        <ProgressFigure status={status} />
        <div className={styles.words} role="status">
          {draft ? <p className={styles.amount}>{formatKes(draft.amount)}</p> : null}
          <h1 className={styles.title}>{titleOf(progress, draft)}</h1>
          {isRunning ? null : <p className={styles.text}>{textOf(progress, draft)}</p>}
        </div>
        {status === "ERROR" ? (
          <p className={styles.reference}>
            {t("waiting.reference")} <span className={styles.id}>{paymentId}</span>
          </p>
        ) : (
          <PaymentSteps type={type} status={status} method={draft?.paymentMethod} />
        )}
        {isRunning ? (
          <p className={styles.note} role="status">
            <Info size={24} strokeWidth={2.25} aria-hidden="true" />
            <span>{t(isPaused ? "waiting.paused" : "waiting.leave")}</span>
          </p>
        ) : null}
      </main>
      <div className={styles.footer}>
        {isOpen && cardUrl ? (
          <a className={styles.cardPage} href={cardUrl} target="_blank" rel="noopener noreferrer">
            <ExternalLink size={20} strokeWidth={2.5} aria-hidden="true" />
            {t("waiting.openCard")}
          </a>
        ) : null}
        <Button
          wide
          variant={isRunning ? "quiet" : "primary"}
          aria-disabled={!isReady}
          onClick={() => isReady && leave()}
        >
          {t(isHeld ? "waiting.continue" : buttons[status])}
        </Button>
      </div>
    </div>
  );
}

/** The progress of one payment. Its id is in the URL, so that a reload continues with it. */
export function Component() {
  const location = useLocation();
  const isSignedIn = useSignedIn();
  const paymentId = paymentIdIn(location.search);
  if (!paymentId) return <Navigate to={paths.wallet} replace />;
  // The route is not guarded, but the payment needs a session, which belongs to a tab and may be in another one.
  if (!isSignedIn) return <Navigate to={loginFrom(location)} replace />;
  return <Waiting key={paymentId} paymentId={paymentId} />;
}
