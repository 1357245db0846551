import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { sendCode } from "@/features/auth/api/requests";
import { CaptchaBox } from "@/features/auth/components/CaptchaBox";
import { useCaptcha } from "@/features/auth/hooks/useCaptcha";
import type { CodeStep } from "@/features/auth/hooks/usePhoneSteps";
import { phoneSchema } from "@/features/auth/model";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./Phone.module.css";

interface PhoneEntryProps {
  /** The initial number, when the player returns to change it. */
  readonly phone: string;
  readonly onSent: (sent: Omit<CodeStep, "at">) => void;
}

/** The first step of the phone mode: a number and a captcha. The server validates the number. */
export function PhoneEntry({ phone: first, onSent }: PhoneEntryProps) {
  const form = useForm({ resolver: zodResolver(phoneSchema()), defaultValues: { phone: first } });
  const captcha = useCaptcha();
  const { setFocus } = form;
  // The button that opened this step had the focus and is gone.
  useEffect(() => setFocus("phone"), [setFocus]);
  const send = useMutation({
    mutationFn: async (number: string) => sendCode(number, await captcha.take()),
    // This screen shows the error, and only while it is open.
    meta: { quiet: true },
  });

  const submit = form.handleSubmit(({ phone }) => {
    if (send.isPending) return;
    send.mutate(phone, {
      onSuccess: ({ message, ...sent }) => {
        toast.success(message);
        onSent({ ...sent, phone });
      },
      onError: (cause) => {
        captcha.reset(cause);
        const refused = cause instanceof Fault ? cause.fields.phone : undefined;
        if (refused) form.setError("phone", { message: refused });
        toast.error(messageOf(cause));
      },
    });
  });

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        {...form.register("phone")}
        label={t("auth.phone.number")}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={t("profile.phone.example")}
        error={form.formState.errors.phone?.message}
      />
      <CaptchaBox captcha={captcha} />
      <Button type="submit" wide busy={send.isPending}>
        {t("auth.phone.send")}
      </Button>
    </form>
  );
}
