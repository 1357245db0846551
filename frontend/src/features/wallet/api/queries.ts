import { queryOptions } from "@tanstack/react-query";
import { type TransactionList, withNewest } from "@/features/wallet/history";
import { removePendingPayment } from "@/features/wallet/pendingStore";
import { Fault } from "@/lib/http/fault";
import { fetchFriends } from "./friends";
import { fetchPayoutPhones } from "./payoutPhones";
import { fetchBalance, fetchMethods, fetchPayment, fetchTransactions, fetchWithdrawalFee } from "./requests";
import { fetchPackages, fetchSubscriptions } from "./subscriptions";

/**
 * Stale time of the balance and the history. Payments announce what they move, so a return to the tab need not fetch;
 * this covers changes from elsewhere.
 */
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
    const newest = await fetchTransactions();
    // Read the list after the reply: older rows may have been added meanwhile.
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

/** The fee of a withdrawal. It is fetched each time, because the table of fees can change. */
export function withdrawalFeeQuery(paymentMethodId: string | undefined, amount: number) {
  return queryOptions({
    queryKey: ["wallet", "withdrawal-fee", paymentMethodId, amount],
    queryFn: () => fetchWithdrawalFee(paymentMethodId ?? "", amount),
    enabled: paymentMethodId !== undefined,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/** The phones to which the player can withdraw. Without them the server still asks for a code. */
export const payoutPhonesQuery = queryOptions({
  queryKey: ["wallet", "payout-phones"],
  queryFn: fetchPayoutPhones,
  staleTime: 60_000,
  meta: { quiet: true },
});

export const packagesQuery = queryOptions({
  queryKey: ["subscription-packages"],
  queryFn: fetchPackages,
  staleTime: METHODS_STALE_MS,
});

export const subscriptionsQuery = queryOptions({
  queryKey: ["subscriptions"],
  queryFn: fetchSubscriptions,
  staleTime: MONEY_STALE_MS,
});

/** The players with these ids, for the other side of boosts. */
export function friendsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ["wallet", "friends", ...ids],
    queryFn: () => fetchFriends(ids),
    enabled: ids.length > 0,
    staleTime: METHODS_STALE_MS,
    meta: { quiet: true },
  });
}
