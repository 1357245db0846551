import type { Game } from "@/gen/api/game";
import type { Notification } from "@/gen/api/notification";
import type { Payment } from "@/gen/api/payment";
import type { Transaction } from "@/gen/api/transaction";

/** Payloads as the gateway sends them. */
export function aGame(overrides: Partial<Game> = {}): Game {
  return {
    id: "g1",
    name: "Ajua",
    packageId: "ajua",
    description: "Seeds and pits.",
    gameIcon: "/media/ajua.png",
    trailerLink: null,
    gameUrl: "/play/ajua",
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
    ...overrides,
  };
}

export function aTransaction(overrides: Partial<Transaction> = {}): Transaction {
  return {
    id: "t1",
    userId: "p1",
    transactionDesc: "TOPUP_WALLET",
    transactionDescId: "1",
    amount: 100,
    direction: "CREDIT",
    balanceAfter: null,
    detail: null,
    createdAt: "2026-05-20T10:00:00.000Z",
    updatedAt: "2026-05-20T10:00:00.000Z",
    payment: null,
    payout: null,
    ...overrides,
  };
}
