import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { requestPasswordReset } from "@/features/auth/api/requests";
import { toast } from "@/lib/toast";

/** Repeated presses within this time, in which the confirmation toast is visible, are ignored. */
const REPEAT_WINDOW_MS = 5_000;

/** Requests a reset mail and shows the server's reply. */
export function useResetMail() {
  // Recorded on the press itself: a second press may come before the button renders as busy.
  const last = useRef({ email: "", at: 0 });
  const { mutate, isPending, isSuccess, variables } = useMutation({
    mutationFn: requestPasswordReset,
    onSuccess: (message) => toast.success(message),
    onError: () => {
      last.current = { email: "", at: 0 };
    },
  });
  const send = (email: string) => {
    const now = Date.now();
    if (email === last.current.email && now - last.current.at < REPEAT_WINDOW_MS) return;
    last.current = { email, at: now };
    mutate(email);
  };
  return {
    send,
    isPending,
    /** The address of the last successful request. */ sentTo: isSuccess ? variables : null,
  };
}
