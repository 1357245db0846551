import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { isFinal, type Payment, startPayment } from "@/features/wallet/api/requests";
import { type CardTab, cardPageUrl, openCardTab } from "@/features/wallet/cardPage";
import { type Draft, markPaid, orderOf } from "@/features/wallet/draft";
import { addPendingPayment } from "@/features/wallet/pendingStore";
import { type Question, questionOf } from "@/features/wallet/question";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";

interface PayOptions {
  /** The draft with its method. */
  readonly draft: Draft;
  /** The signed-in player. */
  readonly uid: string;
  /** Opens the next screen. The payment stays pending until the promise resolves, so that it is not sent twice. */
  readonly onAccepted: (payment: Payment, paid: Draft) => Promise<void>;
  /** Called when the server asks the player for a proof first. After the proof `pay` sends the payment again. */
  readonly onQuestion: (question: Question) => void;
}

interface Press {
  readonly phone: string | null;
  readonly tab: CardTab | null;
}

export interface Pay {
  /** Starts the payment, with the phone number that gets M-Pesa's prompt. A repeated press is ignored. */
  readonly pay: (phone: string | null) => void;
  readonly isPending: boolean;
  /**
   * Set when it is not known whether the payment was started: the player must know what to check before paying again.
   */
  readonly unsettled: Fault | null;
}

/** Starts a payment of any kind and keeps it among the pending ones. */
export function usePay({ draft, uid, onAccepted, onQuestion }: PayOptions): Pay {
  // Set on the press itself: a second press may come before the button renders as busy.
  const submitted = useRef(false);
  const allowRetry = () => {
    submitted.current = false;
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ phone }: Press) => startPayment(draft.type, orderOf(draft, uid, phone)),
    onSuccess: async (payment, { phone, tab }) => {
      const { paymentId, status, message } = payment;
      const cardUrl = cardPageUrl(payment.txGwSessionUrl);
      // The waiting screen offers the page again, if the browser has blocked the tab.
      if (cardUrl === null || isFinal(status)) tab?.close();
      else tab?.show(cardUrl);
      if (status === "ERROR") {
        allowRetry();
        toast.error(message || t("waiting.errorText"));
        return;
      }
      const { mpesaPhoneNumber: _, ...rest } = draft;
      const paid: Draft = phone === null ? rest : { ...rest, mpesaPhoneNumber: phone, phoneUid: uid };
      markPaid(draft);
      const { type, amount, mpesaPhoneNumber, paymentMethod } = paid;
      // A payment out of the wallet is completed at once.
      if (status !== "COMPLETED") {
        addPendingPayment({
          paymentId,
          uid,
          type,
          amount,
          ...(mpesaPhoneNumber ? { mpesaPhoneNumber } : {}),
          ...(paymentMethod ? { paymentMethod } : {}),
          ...(cardUrl ? { cardUrl } : {}),
        });
      }
      await onAccepted(payment, paid);
    },
    onError: (cause, { tab }) => {
      tab?.close();
      allowRetry();
      const question = questionOf(cause);
      if (question) onQuestion(question);
      else if (!(cause instanceof Fault && cause.unauthenticated)) toast.error(messageOf(cause));
    },
    meta: { quiet: true },
  });
  const pay = (phone: string | null) => {
    if (submitted.current) return;
    submitted.current = true;
    // The tab opens on the tap itself, before the reply has the page's address.
    mutate({ phone, tab: draft.paymentMethod === "CARD" ? openCardTab() : null });
  };
  return { pay, isPending, unsettled: error instanceof Fault && !error.refused ? error : null };
}
