import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { confirmDevice, type MailedCode, startDeviceConfirmation } from "@/features/auth/api/requests";
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

interface ConfirmDeviceDialogProps {
  readonly onClose: () => void;
  readonly onConfirmed: () => void;
}

/** Asks a player on a new device for a mailed code, before money leaves the wallet. */
export function ConfirmDeviceDialog({ onClose, onConfirmed }: ConfirmDeviceDialogProps) {
  const start = useMutation({ mutationFn: startDeviceConfirmation, meta: { quiet: true } });
  const send = () => start.mutate(undefined, { onError: (cause) => toast.error(messageOf(cause)) });
  const mailed = start.data;
  return (
    <Dialog
      title={t("device.title")}
      description={mailed ? t("device.sent", { email: mailed.emailHint }) : t("device.text")}
      onClose={onClose}
    >
      {mailed ? (
        <DeviceCode mailed={mailed} isSending={start.isPending} onResend={send} onConfirmed={onConfirmed} />
      ) : (
        <Button wide busy={start.isPending} onClick={send}>
          {t("device.send")}
        </Button>
      )}
    </Dialog>
  );
}

interface DeviceCodeProps {
  readonly mailed: MailedCode;
  readonly isSending: boolean;
  readonly onResend: () => void;
  readonly onConfirmed: () => void;
}

function DeviceCode({ mailed, isSending, onResend, onConfirmed }: DeviceCodeProps) {
  const field = useRef<HTMLInputElement>(null);
  const form = useForm({
    resolver: zodResolver(codeSchema(CODE_LENGTH)),
    defaultValues: { code: "" },
    // An error stays until the player types.
    reValidateMode: "onSubmit",
  });
  const confirm = useMutation({ mutationFn: confirmDevice, meta: { quiet: true } });
  // Validation is asynchronous, so a second submission may come before the button is busy.
  const submitted = useRef(false);
  const left = useCountdown(mailed.resendAt);
  useEffect(() => field.current?.focus(), []);
  const submit = form.handleSubmit(({ code }) => {
    if (submitted.current) return;
    submitted.current = true;
    confirm.mutate(code, {
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
        readOnly={confirm.isPending}
      />
      <Button type="submit" wide busy={confirm.isPending}>
        {t("auth.code.confirm")}
      </Button>
      {left > 0 ? (
        <p className={styles.countdown}>{t("device.resendIn", { time: formatElapsed(left) })}</p>
      ) : (
        <Button variant="plain" busy={isSending} onClick={onResend}>
          {t("auth.code.resend")}
        </Button>
      )}
    </form>
  );
}
