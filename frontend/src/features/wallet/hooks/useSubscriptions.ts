import { useQuery } from "@tanstack/react-query";
import { packagesQuery, subscriptionsQuery } from "@/features/wallet/api/queries";
import { bestRunning } from "@/features/wallet/subscriptions";
import { useServerNowAfter } from "@/lib/useServerNow";

export function usePackages() {
  return useQuery(packagesQuery);
}

export function useSubscriptions() {
  return useQuery(subscriptionsQuery);
}

/** The best package that the player holds now; null for none. */
export function useBestSubscription() {
  const { data } = useSubscriptions();
  const ends = (data ?? []).map(({ expiresAt }) => new Date(expiresAt));
  return bestRunning(data, useServerNowAfter(ends));
}
