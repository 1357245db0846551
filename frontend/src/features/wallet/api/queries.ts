import { queryOptions } from "@tanstack/react-query";
import { type TransactionList, withNewest } from "@/features/wallet/history";
import { removePendingPayment } from "@/features/wallet/pendingStore";
import { Fault } from "@/lib/http/fault";
import { fetchBalance, fetchMethods, fetchPayment, fetchTransactions } from "./requests";

/** Payments announce what they move, so that a return to the tab need not ask. This is for what happens elsewhere. */
const MONEY_STALE_MS = 5 * 60_000;
const METHODS_STALE_MS = 30 * 60_000;
/** Polling interval of an open payment. */
const POLL_INTERVAL_MS = 30_000;

export const balanceQuery = queryOptions({
  queryKey: ["wallet", "balance"],
  queryFn: fetchBalance,
  staleTime: MONEY_STALE_MS,
});

/** The history. Only its newest page is ever fetched again; `useHistory` adds older pages on request. */
export const historyQuery = queryOptions({
  queryKey: ["wallet", "history"],
  queryFn: async ({ client, queryKey }) => {
    const newest = await fetchTransactions(0);
    // Read after the reply: older rows may have been added meanwhile.
    return withNewest(client.getQueryData<TransactionList>(queryKey), newest);
  },
  staleTime: MONEY_STALE_MS,
});

export const methodsQuery = queryOptions({
  queryKey: ["payment-methods"],
  queryFn: fetchMethods,
  staleTime: METHODS_STALE_MS,
});

/** One payment, polled: when it is shown, when the window gets the focus, and at intervals while it is open. */
export function paymentQuery(paymentId: string, isOpen: boolean) {
  return queryOptions({
    queryKey: ["wallet", "payment", paymentId],
    queryFn: async () => {
      try {
        return await fetchPayment(paymentId);
      } catch (cause) {
        if (cause instanceof Fault && cause.refused && cause.status === 404) removePendingPayment(paymentId);
        throw cause;
      }
    },
    staleTime: 0,
    refetchInterval: isOpen ? POLL_INTERVAL_MS : false,
    retry: false,
    meta: { quiet: true },
  });
}
