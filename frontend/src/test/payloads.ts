import type { Balance } from "@/gen/api/balance";
import type { Game } from "@/gen/api/game";
import type { Leaderboard } from "@/gen/api/leaderboard";
import type { LeaderboardEntry } from "@/gen/api/leaderboardEntry";
import type { Notification } from "@/gen/api/notification";
import type { Payment } from "@/gen/api/payment";
import type { Tournament } from "@/gen/api/tournament";
import type { Transaction } from "@/gen/api/transaction";

/** Payloads as the gateway sends them. */
export function aBalance(balance: number, overrides: Partial<Balance> = {}): Balance {
  return { balance, available: balance, topUpTax: 0, ...overrides };
}

export function aGame(overrides: Partial<Game> = {}): Game {
  return {
    id: "g1",
    name: "Ajua",
    packageId: "ajua",
    description: "Seeds and pits.",
    gameIcon: "/media/ajua.png",
    trailerLink: null,
    gameUrl: "/play/ajua",
    hosted: true,
    featured: false,
    world: "ajua",
    levels: 1,
    ...overrides,
  };
}

export function aNotification(overrides: Partial<Notification> = {}): Notification {
  return {
    id: "n1",
    kind: "TOP_UP_COMPLETED",
    title: "Money in your wallet",
    body: "Your top-up of KES 100.00 is in. Time to play!",
    createdAt: new Date().toISOString(),
    read: false,
    chatRoomUid: null,
    ...overrides,
  };
}

export function aPayment(overrides: Partial<Payment> = {}): Payment {
  return {
    paymentId: "pay-1",
    status: "IN_PROGRESS",
    message: "",
    type: "TOPUP",
    amount: 100,
    fee: 0,
    txGwSessionUrl: null,
    heldUntil: null,
    ...overrides,
  };
}

export function aTransaction(overrides: Partial<Transaction> = {}): Transaction {
  return {
    id: "t1",
    userId: "p1",
    transactionDesc: "TOPUP_WALLET",
    kind: "TOP_UP",
    transactionDescId: "1",
    amount: 100,
    direction: "CREDIT",
    balanceAfter: null,
    detail: null,
    createdAt: "2026-05-20T10:00:00.000Z",
    updatedAt: "2026-05-20T10:00:00.000Z",
    payment: null,
    payout: null,
    cursor: "1",
    counterpartyId: null,
    tax: null,
    ...overrides,
  };
}

/** A tournament that began an hour ago, and ends in two hours. */
export function aTournament(overrides: Partial<Tournament> = {}): Tournament {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  return {
    id: "c1",
    name: "Ajua Cup",
    description: "",
    gameId: "g1",
    starts: hours(-1),
    ends: hours(2),
    players: 1284,
    cash: 5000,
    firstAward: "KES 2,500",
    rounds: 1,
    runsPerRound: 3,
    settled: false,
    checkUrl: null,
    ...overrides,
  };
}

/** The board entry of a rank: the higher the rank, the more points. */
export function aBoardEntry(rank: number, overrides: Partial<LeaderboardEntry> = {}): LeaderboardEntry {
  return {
    userId: `u${rank}`,
    username: `player_${rank}`,
    former: false,
    profilePic: null,
    rank,
    points: 2000 - rank,
    ...overrides,
  };
}

/** A page of a board of `players`, each page 15 entries long. */
export function aBoard(page: number, players: number, overrides: Partial<Leaderboard> = {}): Leaderboard {
  const from = page * 15;
  const length = Math.max(0, Math.min(15, players - from));
  return {
    content: Array.from({ length }, (_, index) => aBoardEntry(from + index + 1)),
    last: from + length >= players,
    totalElements: players,
    me: null,
    settled: false,
    prizes: [],
    ...overrides,
  };
}
