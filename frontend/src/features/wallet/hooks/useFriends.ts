import { useQuery } from "@tanstack/react-query";
import type { Friend } from "@/features/wallet/api/friends";
import { friendsQuery } from "@/features/wallet/api/queries";
import type { Transaction } from "@/features/wallet/api/requests";

const none: readonly Friend[] = [];

/** The other players of these transactions, by id, in one call. The server keeps ids alone, because players can be erased. */
export function useFriends(transactions: readonly Transaction[] | undefined): ReadonlyMap<string, Friend> {
  const ids = new Set((transactions ?? []).flatMap(({ counterpartyId }) => counterpartyId ?? []));
  const { data = none } = useQuery(friendsQuery([...ids].sort()));
  return new Map(data.map((friend) => [friend.id, friend]));
}
