import { Fault } from "@/lib/http/fault";

/** Whether the server refuses a new password, which the form says at its field. */
export function isPasswordRefused(cause: Error): boolean {
  return cause instanceof Fault && ["WEAK_PASSWORD", "GUESSABLE_PASSWORD"].includes(cause.code);
}
