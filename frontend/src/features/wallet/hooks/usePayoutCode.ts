import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import {
  confirmPayoutPhone,
  type PayoutPhone,
  type SentPayoutCode,
  startPayoutPhone,
} from "@/features/wallet/api/payoutPhones";
import { dropPayoutCode, isSamePhone, keepPayoutCode, keptPayoutCode } from "@/features/wallet/payoutPhones";
import { serverNow } from "@/lib/clock";
import { messageOf, toast } from "@/lib/toast";

export interface PayoutCode {
  /** The phone that the code proves, as typed. */
  readonly phone: string;
  /** Null until a code was sent to the phone. */
  readonly sent: SentPayoutCode | null;
  readonly isSending: boolean;
  /** Why no code was sent. */
  readonly error: Error | null;
  /** Sends a code, unless the last one to this phone still works. */
  readonly ask: () => void;
  readonly resend: () => void;
  readonly confirm: (typed: string) => Promise<PayoutPhone>;
}

/** The code that proves a phone of the player before money is withdrawn to it. */
export function usePayoutCode(uid: string, phone: string): PayoutCode {
  const [last, setLast] = useState(() => keptPayoutCode(uid));
  const sent = last !== null && isSamePhone(last.phone, phone) ? last : null;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => startPayoutPhone(phone),
    onSuccess: (code) => {
      keepPayoutCode(uid, code);
      setLast(code);
    },
    meta: { quiet: true },
  });
  return {
    phone,
    sent,
    isSending: isPending,
    error,
    ask: () => {
      const kept = keptPayoutCode(uid);
      const isUsable = kept !== null && isSamePhone(kept.phone, phone) && kept.expiresAt > serverNow();
      setLast(isUsable ? kept : null);
      if (!isUsable) mutate();
    },
    resend: () => mutate(undefined, { onError: (cause) => toast.error(messageOf(cause)) }),
    confirm: async (typed) => {
      const proven = await confirmPayoutPhone(typed);
      dropPayoutCode();
      return proven;
    },
  };
}
