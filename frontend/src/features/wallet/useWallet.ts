import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { Fault } from "@/lib/http/fault";
import {
  fetchBalance,
  fetchMethods,
  fetchPayment,
  fetchTransactions,
  PAGE_SIZE,
  type Payment,
  type TopUp,
  topUp,
} from "./api";
import { removePendingPayment } from "./pendingStore";

const WALLET = ["wallet"] as const;

export function useBalance() {
  return useQuery({ queryKey: [...WALLET, "balance"], queryFn: fetchBalance });
}

export function useHistory() {
  return useInfiniteQuery({
    queryKey: [...WALLET, "history"],
    queryFn: ({ pageParam }) => fetchTransactions(pageParam),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length),
  });
}

export function useMethods() {
  return useQuery({ queryKey: ["payment-methods"], queryFn: fetchMethods, staleTime: 300_000 });
}

/** Polling interval of an open payment. */
const POLL_INTERVAL_MS = 30_000;

/** Polls a payment: when it is shown, when the window gets the focus, and at intervals while it is open. */
export function usePaymentPolling(paymentId: string, isOpen: boolean): void {
  useQuery({
    queryKey: [...WALLET, "payment", paymentId],
    queryFn: async () => {
      try {
        return await fetchPayment(paymentId);
      } catch (cause) {
        if (cause instanceof Fault && cause.refused && cause.status === 404) removePendingPayment(paymentId);
        throw cause;
      }
    },
    refetchInterval: isOpen ? POLL_INTERVAL_MS : false,
    retry: false,
    meta: { quiet: true },
  });
}

/** Starts a top-up. It stays pending until the promise of `onAccepted` resolves, so that it cannot be submitted twice. */
export function useTopUp(onAccepted: (payment: Payment, asked: TopUp) => Promise<void>) {
  return useMutation({ mutationFn: topUp, onSuccess: onAccepted });
}

/** Refetches the wallet's data after money has moved. */
export function useRefreshWallet(): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: WALLET }), [client]);
}
