import { useMutation } from "@tanstack/react-query";
import type { MailedCode } from "@/features/auth/api/requests";
import { CodeForm } from "@/features/auth/components/CodeForm";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

interface MailedCodeDialogProps {
  readonly title: string;
  /** Explains why a code is needed, until a code is mailed. */
  readonly reason: string;
  readonly send: () => Promise<MailedCode>;
  /** Compares a code with the mailed one. */
  readonly confirm: (code: string) => Promise<void>;
  readonly onClose: () => void;
  readonly onConfirmed: () => void;
}

/** Asks for a code that is mailed to the player. */
export function MailedCodeDialog({
  title,
  reason,
  send,
  confirm,
  onClose,
  onConfirmed,
}: MailedCodeDialogProps) {
  const sending = useMutation({ mutationFn: send, meta: { quiet: true } });
  const onSend = () => sending.mutate(undefined, { onError: (cause) => toast.error(messageOf(cause)) });
  const mailed = sending.data;
  return (
    <Dialog
      title={title}
      description={mailed ? t("mailedCode.sent", { email: mailed.emailHint }) : reason}
      onClose={onClose}
    >
      {mailed ? (
        <CodeForm
          sentBy="mail"
          resendAt={mailed.resendAt}
          isSending={sending.isPending}
          confirm={confirm}
          onResend={onSend}
          onConfirmed={onConfirmed}
        />
      ) : (
        <Button wide busy={sending.isPending} onClick={onSend}>
          {t("mailedCode.send")}
        </Button>
      )}
    </Dialog>
  );
}
