import { useQuery } from "@tanstack/react-query";
import { methodsQuery, withdrawalFeeQuery } from "@/features/wallet/api/queries";
import { useFreshBalance } from "./useWallet";

export interface WithdrawalCost {
  /** Undefined until the server has replied. */
  readonly fee: number | undefined;
  readonly total: number | undefined;
  /** The amount that the wallet lacks; 0 when it has enough, or when that is not known. */
  readonly missing: number;
  readonly available: number | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly retry: () => void;
  /**
   * Whether the player may continue: the cost is known and covered. Other kinds of payment have no cost to wait for.
   */
  readonly isPayable: boolean;
}

/** What a withdrawal costs, from the server, and whether the wallet covers it. Null for another kind of payment. */
export function useWithdrawalCost(amount: number | null): WithdrawalCost {
  const methods = useQuery({ ...methodsQuery, enabled: amount !== null });
  const mpesa = methods.data?.find(({ code }) => code === "MPESA");
  const charge = useQuery(withdrawalFeeQuery(amount === null ? undefined : mpesa?.id, amount ?? 0));
  const balance = useFreshBalance();
  const fee = charge.data;
  const total = fee === undefined || amount === null ? undefined : amount + fee;
  const available = balance.data?.available;
  // Add in cents: fees have fractions, which floating point does not add exactly.
  const missing =
    total === undefined || available === undefined
      ? 0
      : Math.max(0, Math.round(total * 100) - Math.round(available * 100)) / 100;
  return {
    fee,
    total,
    missing,
    available,
    error: methods.error ?? charge.error,
    isFetching: methods.isFetching || charge.isFetching,
    retry: () => void (mpesa ? charge.refetch() : methods.refetch()),
    isPayable: amount === null || (total !== undefined && available !== undefined && missing === 0),
  };
}
