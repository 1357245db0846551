import { CircleAlert, Clock, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Draft } from "@/features/wallet/draft";
import { forgetUnderway, type Underway, useUnderway } from "@/features/wallet/underway";
import { followPayment } from "@/features/wallet/useProgress";
import { usePaymentAsked, useWalletChanged } from "@/features/wallet/useWallet";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { IconButton } from "@/ui/Button";
import { RowLink, Rows } from "@/ui/Rows";

interface Placed {
  /** The path of a payment's waiting screen. */
  readonly linkOf: (paymentId: string) => string;
  /** The page of this list, to which the waiting screen returns. */
  readonly page: string;
}

function Line({ payment, linkOf, page }: Placed & { readonly payment: Underway }) {
  const { paymentId, amount, mpesaPhoneNumber, failed } = payment;
  const isOpen = failed === undefined;
  useEffect(() => {
    // The status arrives through the store that this list renders.
    if (isOpen) return followPayment(paymentId, () => {});
  }, [paymentId, isOpen]);
  usePaymentAsked(paymentId, isOpen);
  const draft: Draft = {
    type: "TOP-UP",
    amount,
    before: page,
    ...(mpesaPhoneNumber ? { mpesaPhoneNumber } : {}),
  };
  const Glyph = isOpen ? Clock : CircleAlert;
  return (
    <RowLink
      to={linkOf(paymentId)}
      state={draft}
      icon={<Glyph size={20} strokeWidth={1.75} aria-hidden="true" />}
      title={t(isOpen ? "wallet.underway" : "wallet.failed", { amount: formatKes(amount) })}
      detail={failed ?? t("wallet.underway.text")}
      {...(isOpen
        ? {}
        : {
            trailing: null,
            action: (
              <IconButton label={t("wallet.failed.hide")} onClick={() => forgetUnderway(paymentId)}>
                <X size={20} strokeWidth={1.75} aria-hidden="true" />
              </IconButton>
            ),
          })}
    />
  );
}

/** Payments that are still open, and failed ones until they are hidden. Each links to its waiting screen. */
export function OnItsWay({ linkOf, page }: Placed) {
  const all = useUnderway();
  const walletChanged = useWalletChanged();
  const seen = useRef(all);
  useEffect(() => {
    const before = seen.current;
    if (before === all) return;
    seen.current = all;
    walletChanged();
    for (const { paymentId, amount, failed } of before) {
      const isThrough = failed === undefined && !all.some((each) => each.paymentId === paymentId);
      if (isThrough) toast.success(t("waiting.completedText", { amount: formatKes(amount) }));
    }
  }, [all, walletChanged]);
  if (all.length === 0) return null;
  return (
    <Rows label={t("wallet.underway.label")}>
      {all.map((payment) => (
        <Line key={payment.paymentId} payment={payment} linkOf={linkOf} page={page} />
      ))}
    </Rows>
  );
}
