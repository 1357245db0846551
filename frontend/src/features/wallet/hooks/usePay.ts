import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { startPayment } from "@/features/wallet/api/requests";
import { type Draft, markPaid, orderOf } from "@/features/wallet/draft";
import { addPendingPayment } from "@/features/wallet/pendingStore";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";

interface PayOptions {
  readonly draft: Draft;
  readonly paymentMethodId: string;
  /** The signed-in player. */
  readonly uid: string;
  /** Opens the screen that follows. The payment stays pending until its promise resolves, so that it is not sent twice. */
  readonly onAccepted: (paymentId: string, paid: Draft) => Promise<void>;
}

export interface Pay {
  /** Starts the payment, with the phone number that M-Pesa asks on. A repeated press is ignored. */
  readonly pay: (phone: string | null) => void;
  readonly isPending: boolean;
  /** Why it is not known whether the payment was started: the player must know what to check before paying again. */
  readonly unsettled: Fault | null;
}

/** Starts a payment of any kind and keeps it among the pending ones. */
export function usePay({ draft, paymentMethodId, uid, onAccepted }: PayOptions): Pay {
  // Set on the press itself: a second press may come before the button renders as busy.
  const submitted = useRef(false);
  const allowRetry = () => {
    submitted.current = false;
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: (phone: string | null) =>
      startPayment(draft.type, orderOf(draft, paymentMethodId, uid, phone)),
    onSuccess: async ({ paymentId, status, message }, phone) => {
      if (status === "ERROR") {
        allowRetry();
        toast.error(message || t("waiting.errorText"));
        return;
      }
      const paid = phone === null ? draft : { ...draft, mpesaPhoneNumber: phone };
      markPaid(draft);
      const { type, amount, mpesaPhoneNumber } = paid;
      addPendingPayment({ paymentId, uid, type, amount, ...(mpesaPhoneNumber ? { mpesaPhoneNumber } : {}) });
      await onAccepted(paymentId, paid);
    },
    onError: allowRetry,
  });
  const pay = (phone: string | null) => {
    if (submitted.current) return;
    submitted.current = true;
    mutate(phone);
  };
  return { pay, isPending, unsettled: error instanceof Fault && !error.refused ? error : null };
}
