import * as z from "zod/mini";
import { Break as breakPayload } from "@/gen/api/break";
import type { LimitChangeOutput } from "@/gen/api/limitChange";
import { type PeriodSpendingOutput, PeriodSpending as periodSpending } from "@/gen/api/periodSpending";
import type { SpendingOutput } from "@/gen/api/spending";
import type { SpendingLimit } from "@/gen/api/spendingLimit";
import type { StartBreak } from "@/gen/api/startBreak";
import { asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";
import type { BreakLength } from "./breaks";

/** What the player spent and won in the current day, week or month of Nairobi. */
export type PeriodSpending = PeriodSpendingOutput;
export type Spending = SpendingOutput;
export type LimitChange = LimitChangeOutput;
export type Period = PeriodSpending["period"];
export type Kind = "MONEY_IN" | "PACKAGES";

/** Which limit the player sets. */
export interface LimitOf {
  readonly kind: Kind;
  readonly period: Period;
}

const periods = z.array(periodSpending);

/** The day, the week and the month. */
export async function fetchSpending(): Promise<PeriodSpending[]> {
  return parsePayload(periods, await asPlayer("/spending"));
}

/** Sets a limit in KES, or removes it. Returns the same as `fetchSpending`. */
export async function setSpendingLimit(order: LimitOf & { limit: number | null }): Promise<PeriodSpending[]> {
  const body: SpendingLimit = order;
  return parsePayload(periods, await asPlayer("/spending/limit", { method: "PUT", body }));
}

/** Begins a break, which ends every session of the player. Returns the server's message. */
export async function startBreak(length: BreakLength): Promise<string> {
  const body: StartBreak = { length };
  const reply = await asPlayer("/profile/break", { method: "POST", body });
  parsePayload(breakPayload, reply);
  return reply.statusMessage;
}
