import { Fault } from "@/lib/http/fault";

/** What the player must prove before money leaves the wallet. */
export type Question = "device" | "payoutPhone";

/** The questions by the codes of the server's refusals. */
const questions: ReadonlyMap<string, Question> = new Map([
  ["DEVICE_NOT_CONFIRMED", "device"],
  ["PAYOUT_PHONE_NOT_PROVEN", "payoutPhone"],
]);

/** The question that a refusal asks; null for another failure. After the proof the same payment is sent again. */
export function questionOf(cause: unknown): Question | null {
  return cause instanceof Fault ? (questions.get(cause.code) ?? null) : null;
}
