import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import type { MailedCode } from "@/features/auth/api/requests";
import { CodeField } from "@/features/auth/components/CodeField";
import { useCountdown } from "@/features/auth/hooks/useCountdown";
import { CODE_LENGTH, codeSchema } from "@/features/auth/model";
import { formatElapsed } from "@/lib/format";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import styles from "./Phone.module.css";

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
          mailed={mailed}
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

interface CodeFormProps {
  readonly mailed: MailedCode;
  readonly isSending: boolean;
  readonly confirm: (code: string) => Promise<void>;
  readonly onResend: () => void;
  readonly onConfirmed: () => void;
}

function CodeForm({ mailed, isSending, confirm, onResend, onConfirmed }: CodeFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const form = useForm({
    resolver: zodResolver(codeSchema(CODE_LENGTH)),
    defaultValues: { code: "" },
    // An error stays until the player types.
    reValidateMode: "onSubmit",
  });
  const confirming = useMutation({ mutationFn: confirm, meta: { quiet: true } });
  // Validation is asynchronous, so a second submission may come before the button is busy.
  const submitted = useRef(false);
  const left = useCountdown(mailed.resendAt);
  useEffect(() => field.current?.focus(), []);
  const submit = form.handleSubmit(({ code }) => {
    if (submitted.current) return;
    submitted.current = true;
    confirming.mutate(code, {
      onSuccess: onConfirmed,
      onError: (cause) => {
        submitted.current = false;
        if (!(cause instanceof Fault) || !cause.refused) return void toast.error(messageOf(cause));
        form.setError("code", { message: cause.message });
        field.current?.select();
      },
    });
  });
  function onCode(typed: string) {
    form.setValue("code", typed);
    form.clearErrors("code");
    if (typed.length === CODE_LENGTH) void submit();
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <CodeField
        ref={field}
        code={form.watch("code")}
        length={CODE_LENGTH}
        onCode={onCode}
        error={form.formState.errors.code?.message}
        readOnly={confirming.isPending}
      />
      <Button type="submit" wide busy={confirming.isPending}>
        {t("auth.code.confirm")}
      </Button>
      {left > 0 ? (
        <p className={styles.countdown}>{t("mailedCode.resendIn", { time: formatElapsed(left) })}</p>
      ) : (
        <Button variant="plain" busy={isSending} onClick={onResend}>
          {t("auth.code.resend")}
        </Button>
      )}
    </form>
  );
}
