import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import * as z from "zod/mini";
import { CODE_LENGTH } from "@/features/auth/model";

const code = z.object({
  at: z.literal("code"),
  phone: z.string(),
  challengeId: z.string(),
  digits: z._default(z.number(), CODE_LENGTH),
  expiresAt: z.number(),
  resendAt: z.number(),
});
const step = z.union([z.object({ at: z.literal("phone"), phone: z.string() }), code]);

/** A code was sent to `phone`. Times are in ms since the epoch, by the server's clock. */
export type CodeStep = z.infer<typeof code>;
export type PhoneStep = z.infer<typeof step>;

interface PhoneSteps {
  /** Null while the phone mode is off. */
  readonly step: PhoneStep | null;
  enterPhone(phone?: string): void;
  enterCode(sent: Omit<CodeStep, "at">): void;
  off(): void;
}

/**
 * The login's phone mode: off, then the number, then the code. It is stored in the history entry, so that the back
 * gesture leaves it and a page that was killed while the player read the SMS continues with the same step.
 */
export function usePhoneSteps(): PhoneSteps {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const parsed = z.safeParse(step, (state as { phoneMode?: unknown } | null)?.phoneMode);
  const current = parsed.success ? parsed.data : null;
  const isOff = current === null;

  const go = useCallback(
    (phoneMode: PhoneStep, replace: boolean) => void navigate({ search }, { state: { phoneMode }, replace }),
    [navigate, search],
  );
  const enterPhone = useCallback((phone = "") => go({ at: "phone", phone }, !isOff), [go, isOff]);
  const enterCode = useCallback((sent: Omit<CodeStep, "at">) => go({ at: "code", ...sent }, true), [go]);
  const off = useCallback(() => {
    if (!isOff) void navigate(-1);
  }, [navigate, isOff]);
  return { step: current, enterPhone, enterCode, off };
}
