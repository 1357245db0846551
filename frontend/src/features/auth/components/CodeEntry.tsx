import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { sendCode, verifyCode } from "@/features/auth/api/requests";
import { solveCaptcha } from "@/features/auth/captcha";
import { CodeField } from "@/features/auth/components/CodeField";
import { type OnSignedIn, useCompleteSignIn } from "@/features/auth/hooks/useCompleteSignIn";
import { useCountdown } from "@/features/auth/hooks/useCountdown";
import type { CodeStep } from "@/features/auth/hooks/usePhoneSteps";
import { codeSchema } from "@/features/auth/model";
import { readSms } from "@/features/auth/otp";
import { fetchChallenge } from "@/lib/captcha/captcha";
import { formatElapsed } from "@/lib/format";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import styles from "./Phone.module.css";

/** The server's limit of attempts per code. A further one is refused as CODE_EXPIRED. */
const MAX_ATTEMPTS = 5;

interface CodeEntryProps {
  readonly sent: CodeStep;
  readonly onResent: (sent: Omit<CodeStep, "at">) => void;
  readonly onSignedIn: OnSignedIn;
}

/** The second step of the phone mode. A wrong code can be corrected; after an expired one the player asks for another. */
export function CodeEntry({ sent, onResent, onSignedIn }: CodeEntryProps) {
  const field = useRef<HTMLInputElement>(null);
  const form = useForm({
    resolver: zodResolver(codeSchema(sent.digits)),
    defaultValues: { code: "" },
    // An error stays until the player types, and is not repeated with every digit.
    reValidateMode: "onSubmit",
  });
  const [expiryText, setExpiryText] = useState(() => t("auth.code.expired"));
  // The server ended the code early, after too many attempts.
  const [isUsedUp, setUsedUp] = useState(false);
  const wrongAttempts = useRef(0);
  // Set by the submission itself: validation is asynchronous, so a second submission may come before the button is
  // busy.
  const submitted = useRef(false);
  const hasExpired = useCountdown(sent.expiresAt) === 0 || isUsedUp;
  const { completeSignIn: verify, isSigningIn } = useCompleteSignIn(
    (typed: string) => verifyCode(sent.challengeId, typed),
    onSignedIn,
  );

  function refused(cause: Error) {
    submitted.current = false;
    if (!(cause instanceof Fault) || !cause.refused) return;
    if (cause.code === "CODE_EXPIRED") {
      setUsedUp(true);
      setExpiryText(t(wrongAttempts.current < MAX_ATTEMPTS ? "auth.code.expired" : "auth.code.tooMany"));
      form.reset();
      return;
    }
    wrongAttempts.current += 1;
    form.setError("code", { message: cause.message });
    field.current?.select();
  }

  const submit = form.handleSubmit(({ code }) => {
    if (submitted.current || hasExpired) return;
    submitted.current = true;
    verify(code, { onError: refused });
  });

  function onCode(typed: string) {
    form.setValue("code", typed);
    form.clearErrors("code");
    if (typed.length === sent.digits) void submit();
  }

  const acceptSmsCode = useEffectEvent(onCode);
  useEffect(() => {
    field.current?.focus();
    const leaving = new AbortController();
    void readSms(leaving.signal, (read) => acceptSmsCode(read));
    return () => leaving.abort();
  }, []);

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <CodeField
        ref={field}
        code={form.watch("code")}
        length={sent.digits}
        onCode={onCode}
        error={hasExpired ? expiryText : form.formState.errors.code?.message}
        readOnly={isSigningIn || hasExpired}
      />
      {hasExpired ? null : (
        <Button type="submit" wide busy={isSigningIn}>
          {t("auth.code.confirm")}
        </Button>
      )}
      <Resend sent={sent} variant={hasExpired ? "primary" : "plain"} onResent={onResent} />
      <p className={styles.status} role="status">
        {isSigningIn ? t("auth.code.checking") : ""}
      </p>
    </form>
  );
}

interface ResendProps {
  readonly sent: CodeStep;
  readonly variant: "primary" | "plain";
  readonly onResent: (sent: Omit<CodeStep, "at">) => void;
}

/** Sends another code, from the server's `resendAt` on. Its captcha is solved in the background. */
function Resend({ sent, variant, onResent }: ResendProps) {
  const left = useCountdown(sent.resendAt);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const resend = useMutation({
    mutationFn: async () => {
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      return sendCode(sent.phone, await solveCaptcha(await fetchChallenge(), signal));
    },
    meta: { quiet: true },
  });
  if (left > 0)
    return <p className={styles.countdown}>{t("auth.code.resendIn", { time: formatElapsed(left) })}</p>;
  return (
    <Button
      variant={variant}
      wide={variant === "primary"}
      busy={resend.isPending}
      onClick={() =>
        resend.mutate(undefined, {
          onSuccess: ({ message, ...next }) => {
            toast.success(message);
            onResent({ ...next, phone: sent.phone });
          },
          onError: (cause) => toast.error(messageOf(cause)),
        })
      }
    >
      {t("auth.code.resend")}
    </Button>
  );
}
