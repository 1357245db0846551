import { useMutation } from "@tanstack/react-query";
import { requestPasswordReset } from "@/features/auth/api";
import { toast } from "@/lib/toast";

/** Has a mail sent by which its reader sets a new password, and tells so in the server's words. */
export function useResetMail() {
  return useMutation({
    mutationFn: requestPasswordReset,
    onSuccess: (message) => toast.success(message),
  });
}
