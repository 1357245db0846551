import type { QueryKey } from "@tanstack/react-query";
import { recentGamesQuery } from "@/entities/game/queries";
import { roomsQuery } from "@/features/chat/queries";
import { notificationsQuery } from "@/features/notifications/queries";
import { referralQuery } from "@/features/referral/queries";
import { spendingQuery } from "@/features/spending/queries";
import {
  bestRunKeys,
  boardKeys,
  fameQuery,
  tournamentQueryKeys,
  tournamentsQuery,
} from "@/features/tournament/queries";
import {
  balanceQuery,
  historyQuery,
  payoutPhonesQuery,
  subscriptionsQuery,
} from "@/features/wallet/api/queries";
import type { Change } from "@/lib/changes";

const wallet: readonly QueryKey[] = [balanceQuery.queryKey, historyQuery.queryKey, spendingQuery.queryKey];

/** The queries that each live event or mutation makes stale. */
export const staleQueries: Readonly<Record<Change, readonly QueryKey[]>> = {
  "wallet/moved": wallet,
  "subscription/bought": [subscriptionsQuery.queryKey, ...wallet],
  "payout-phone/proven": [payoutPhonesQuery.queryKey],
  "referral/changed": [referralQuery.queryKey],
  // The bonus for a redeemed code goes into the wallet.
  "referral/redeemed": [referralQuery.queryKey, ...wallet],
  // A notification means that money has moved.
  "notifications/arrived": [notificationsQuery.queryKey, subscriptionsQuery.queryKey, ...wallet],
  "notifications/read": [notificationsQuery.queryKey],
  // The run may be the best one, and have moved the player on a board.
  "game/played": [recentGamesQuery.queryKey, bestRunKeys, boardKeys],
  "board/moved": [boardKeys],
  "room/joined": [roomsQuery.queryKey],
  "room/left": [roomsQuery.queryKey],
  "room/read": [roomsQuery.queryKey],
  // The prizes of a settled tournament are in the wallets.
  "tournament/settled": [
    boardKeys,
    tournamentsQuery.queryKey,
    tournamentQueryKeys,
    fameQuery.queryKey,
    ...wallet,
  ],
};
