import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import {
  fetchBalance,
  fetchMethods,
  fetchTransactions,
  PAGE_SIZE,
  type Payment,
  type TopUp,
  topUp,
} from "./api";

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

/** Asks for a top-up. It is pending until what `onAccepted` returns is done, so that nobody asks twice meanwhile. */
export function useTopUp(onAccepted: (payment: Payment, asked: TopUp) => Promise<void>) {
  return useMutation({ mutationFn: topUp, onSuccess: onAccepted });
}

/** Money moved: what is known of the wallet is asked for again. */
export function useWalletChanged(): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: WALLET }), [client]);
}
