import { useQuery } from "@tanstack/react-query";
import { methodsQuery, withdrawalFeeQuery } from "@/features/wallet/api/queries";
import { paymentKinds } from "@/features/wallet/kinds";
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

/**
 * What a player can withdraw: the balance, undefined until it is known, and the whole shillings that it covers together
 * with the fee for all of it. Where that fee is of a higher band than `most`, some shillings stay. `most` is 0 while the
 * fee is not known, and when it is too little.
 */
export function useWithdrawable(): { readonly available: number | undefined; readonly most: number } {
  const { min, max } = paymentKinds.WITHDRAWAL;
  const available = useFreshBalance().data?.available;
  const whole = Math.min(Math.floor(available ?? 0), max);
  const { fee } = useWithdrawalCost(whole >= min ? whole : null);
  if (available === undefined || fee === undefined) return { available, most: 0 };
  // Subtract in cents: fees have fractions, which floating point does not subtract exactly.
  const most = Math.min(Math.floor((Math.round(available * 100) - Math.round(fee * 100)) / 100), max);
  return { available, most: most >= min ? most : 0 };
}
