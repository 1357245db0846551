import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useForm } from "react-hook-form";
import { CodeField } from "@/features/auth/components/CodeField";
import { useCountdown } from "@/features/auth/hooks/useCountdown";
import { CODE_LENGTH, codeSchema } from "@/features/auth/model";
import { readSms } from "@/features/auth/otp";
import { formatElapsed } from "@/lib/format";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import styles from "./Phone.module.css";

interface CodeFormProps<T> {
  /** How the code was sent. */
  readonly sentBy: "mail" | "sms";
  /** When another code may be requested, in ms since the epoch, by the server's clock. */
  readonly resendAt: number;
  readonly isSending: boolean;
  /** Compares a code with the sent one. */
  readonly confirm: (code: string) => Promise<T>;
  readonly onResend: () => void;
  readonly onConfirmed: (result: T) => void;
}

/** Takes the six-digit code that was sent to the player, in a dialog. A wrong code can be corrected. */
export function CodeForm<T>({
  sentBy,
  resendAt,
  isSending,
  confirm,
  onResend,
  onConfirmed,
}: CodeFormProps<T>) {
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
  const left = useCountdown(resendAt);
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
  const acceptSmsCode = useEffectEvent(onCode);
  useEffect(() => {
    field.current?.focus();
    if (sentBy === "mail") return;
    const leaving = new AbortController();
    void readSms(leaving.signal, (read) => acceptSmsCode(read));
    return () => leaving.abort();
  }, [sentBy]);
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
        <p className={styles.countdown}>
          {t(sentBy === "sms" ? "auth.code.resendIn" : "mailedCode.resendIn", { time: formatElapsed(left) })}
        </p>
      ) : (
        <Button variant="plain" busy={isSending} onClick={onResend}>
          {t("auth.code.resend")}
        </Button>
      )}
    </form>
  );
}
