import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { sendCode } from "@/features/auth/api";
import { CaptchaBox } from "@/features/auth/CaptchaBox";
import { useCaptcha } from "@/features/auth/useCaptcha";
import type { CodeStep } from "@/features/auth/usePhoneSteps";
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
  const [phone, setPhone] = useState(first);
  const [error, setError] = useState<string>();
  const captcha = useCaptcha();
  const field = useRef<HTMLInputElement>(null);
  // The button that opened this step had the focus and is gone.
  useEffect(() => field.current?.focus(), []);
  const send = useMutation({
    mutationFn: async (number: string) => sendCode(number, await captcha.take()),
    // This screen shows the error, and only while it is open.
    meta: { quiet: true },
  });

  function submit() {
    const number = phone.trim();
    if (send.isPending) return;
    if (number === "") return setError(t("profile.phone.required"));
    send.mutate(number, {
      onSuccess: ({ message, ...sent }) => {
        toast.success(message);
        onSent({ ...sent, phone: number });
      },
      onError: (cause) => {
        captcha.reset(cause);
        setError(cause instanceof Fault ? cause.fields.phone : undefined);
        toast.error(messageOf(cause));
      },
    });
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        ref={field}
        label={t("auth.phone.number")}
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={t("profile.phone.example")}
        value={phone}
        onChange={({ target }) => {
          setPhone(target.value);
          setError(undefined);
        }}
        error={error}
      />
      <CaptchaBox captcha={captcha} />
      <Button type="submit" wide busy={send.isPending}>
        {t("auth.phone.send")}
      </Button>
    </form>
  );
}
