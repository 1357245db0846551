import { CircleAlert, Clock, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Draft } from "@/features/wallet/draft";
import { followPayment } from "@/features/wallet/followPayment";
import { usePaymentPolling } from "@/features/wallet/hooks/useWallet";
import { paymentKinds } from "@/features/wallet/kinds";
import {
  type PendingPayment,
  removePendingPayment,
  usePendingPayments,
} from "@/features/wallet/pendingStore";
import { formatKes, timeAndDate } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { IconButton } from "@/ui/Button";
import { RowLink, Rows } from "@/ui/Rows";
import { Tile } from "@/ui/Tile";

/** The texts of payments that wait for something else than M-Pesa. */
const waitingTexts: { readonly [method: string]: "wallet.pending.card" | "wallet.pending.airtime" } = {
  CARD: "wallet.pending.card",
  SAFARICOM_CREDIT: "wallet.pending.airtime",
};

function openText(heldUntil: string | undefined, method: string | undefined): string {
  if (heldUntil) return t("wallet.pending.held", timeAndDate(new Date(heldUntil)));
  return t(waitingTexts[method ?? ""] ?? "wallet.pending.text");
}

interface PendingPaymentsProps {
  /** The path of a payment's waiting screen. */
  readonly linkOf: (paymentId: string) => string;
  /** The page of this list, to which the waiting screen returns. */
  readonly page: string;
}

function PaymentRow({ payment, linkOf, page }: PendingPaymentsProps & { readonly payment: PendingPayment }) {
  const { paymentId, uid, type, amount, mpesaPhoneNumber, paymentMethod, failed } = payment;
  const kind = paymentKinds[type];
  const isOpen = failed === undefined;
  const [heldUntil, setHeldUntil] = useState<string | undefined>();
  useEffect(() => {
    // A final status arrives through the store that this list renders.
    if (isOpen) return followPayment(paymentId, (progress) => setHeldUntil(progress.heldUntil));
  }, [paymentId, isOpen]);
  usePaymentPolling(paymentId, isOpen);
  const draft: Draft = {
    type,
    amount,
    previousPath: page,
    ...(mpesaPhoneNumber ? { mpesaPhoneNumber, phoneUid: uid } : {}),
    ...(paymentMethod ? { paymentMethod } : {}),
  };
  const Glyph = isOpen ? Clock : CircleAlert;
  return (
    <RowLink
      to={linkOf(paymentId)}
      state={draft}
      icon={
        <Tile tone={isOpen ? "sky" : "coral"}>
          <Glyph size={22} strokeWidth={2.25} aria-hidden="true" />
        </Tile>
      }
      title={t(isOpen ? kind.pending : kind.failed, { amount: formatKes(amount) })}
      detail={failed ?? openText(heldUntil, paymentMethod)}
      {...(isOpen
        ? {}
        : {
            trailing: null,
            action: (
              <IconButton label={t("wallet.failed.hide")} onClick={() => removePendingPayment(paymentId)}>
                <X size={20} aria-hidden="true" />
              </IconButton>
            ),
          })}
    />
  );
}

/** Payments that are still open, and failed ones until they are hidden. Each links to its waiting screen. */
export function PendingPayments({ linkOf, page }: PendingPaymentsProps) {
  const all = usePendingPayments();
  const seen = useRef(all);
  useEffect(() => {
    const before = seen.current;
    if (before === all) return;
    seen.current = all;
    for (const { paymentId, type, amount, failed } of before) {
      const isCompleted = failed === undefined && !all.some((each) => each.paymentId === paymentId);
      if (isCompleted) toast.success(t(paymentKinds[type].completed, { amount: formatKes(amount) }));
    }
  }, [all]);
  if (all.length === 0) return null;
  return (
    <Rows label={t("wallet.pending.label")}>
      {all.map((payment) => (
        <PaymentRow key={payment.paymentId} payment={payment} linkOf={linkOf} page={page} />
      ))}
    </Rows>
  );
}
