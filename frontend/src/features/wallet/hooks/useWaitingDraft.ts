import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { paymentQuery } from "@/features/wallet/api/queries";
import { cardPageUrl } from "@/features/wallet/cardPage";
import type { Draft } from "@/features/wallet/draft";
import { typeOf } from "@/features/wallet/kinds";
import { ownPendingPayments, type PendingPayment } from "@/features/wallet/pendingStore";

export interface WaitingDraft {
  /** The draft of the payment, as far as it is known. */
  readonly draft: Draft | null;
  /** The page on which a card is charged. */
  readonly cardUrl: string | null;
}

/** The draft of a stored payment. */
function draftOf(stored: PendingPayment | undefined): Draft | null {
  if (!stored) return null;
  const { type, amount, mpesaPhoneNumber, paymentMethod, uid } = stored;
  return {
    type,
    amount,
    ...(mpesaPhoneNumber ? { mpesaPhoneNumber, phoneUid: uid } : {}),
    ...(paymentMethod ? { paymentMethod } : {}),
  };
}

/**
 * The payment of a waiting screen: from its navigation state, else from the payments stored in this tab, else from the
 * server. The last is for a payment that was opened by its address alone, as on the return from a card page.
 */
export function useWaitingDraft(paymentId: string, given: Draft | null): WaitingDraft {
  // Read once: a completed payment is no longer stored, and its screen still shows it.
  const [stored] = useState(() => ownPendingPayments().find((each) => each.paymentId === paymentId));
  const isCard = (given?.paymentMethod ?? stored?.paymentMethod) === "CARD";
  const isNeeded = (!given && !stored) || (isCard && !stored?.cardUrl);
  const { data } = useQuery({ ...paymentQuery(paymentId, false), enabled: isNeeded });
  const fetched: Draft | null = data
    ? {
        type: typeOf(data),
        amount: data.amount,
        ...(data.txGwSessionUrl ? { paymentMethod: "CARD" } : {}),
      }
    : null;
  return {
    draft: given ?? draftOf(stored) ?? fetched,
    cardUrl: cardPageUrl(stored?.cardUrl ?? data?.txGwSessionUrl),
  };
}
