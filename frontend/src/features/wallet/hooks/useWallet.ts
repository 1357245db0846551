import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { balanceQuery, historyQuery, methodsQuery, paymentQuery } from "@/features/wallet/api/queries";
import { fetchTransactions } from "@/features/wallet/api/requests";
import { withOlder } from "@/features/wallet/history";

export function useBalance() {
  return useQuery(balanceQuery);
}

/** The balance, fetched each time it is shown, for a decision that depends on it. */
export function useFreshBalance() {
  return useQuery({ ...balanceQuery, staleTime: 0 });
}

/** The transaction history, and the means to add older rows to it. */
export function useHistory() {
  const client = useQueryClient();
  const history = useQuery(historyQuery);
  const older = useMutation({
    mutationFn: async () => {
      const rows = client.getQueryData(historyQuery.queryKey)?.rows ?? [];
      return fetchTransactions(rows.at(-1)?.cursor);
    },
    onSuccess: (page) => client.setQueryData(historyQuery.queryKey, (list) => list && withOlder(list, page)),
  });
  return { history, older };
}

export function useMethods() {
  return useQuery(methodsQuery);
}

/** Polls a payment beside its live stream. */
export function usePaymentPolling(paymentId: string, isOpen: boolean): void {
  useQuery(paymentQuery(paymentId, isOpen));
}

/** Fetches the wallet's data again, when the player asks for it after a failure. */
export function useRefreshWallet(): () => void {
  const client = useQueryClient();
  return () => {
    void client.refetchQueries(balanceQuery);
    void client.refetchQueries(historyQuery);
  };
}
