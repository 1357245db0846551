import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { requestPasswordReset } from "@/features/auth/api";
import { toast } from "@/lib/toast";

/** As long as the toast stands that says the mail is sent, a press asks for what is done. */
const SAME_MS = 5_000;

/** Has a mail sent by which its reader sets a new password, and tells so in the server's words. */
export function useResetMail() {
  // A tap is counted where it happens: a second one may come before the button is seen busy, or just after it was.
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
    if (email === last.current.email && now - last.current.at < SAME_MS) return;
    last.current = { email, at: now };
    mutate(email);
  };
  return {
    send,
    isPending,
    /** The address that the last mail was asked for. */ sentTo: isSuccess ? variables : null,
  };
}
