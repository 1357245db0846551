import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { fetchChallenge, sendCode, verifyCode } from "@/features/auth/api";
import { CODE_LENGTH, CodeField } from "@/features/auth/CodeField";
import { solveCaptcha } from "@/features/auth/captcha";
import { readSms } from "@/features/auth/otp";
import { type OnSignedIn, useCompleteSignIn } from "@/features/auth/useCompleteSignIn";
import { useCountdown } from "@/features/auth/useCountdown";
import type { CodeStep } from "@/features/auth/usePhoneSteps";
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
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [expiryText, setExpiryText] = useState(() => t("auth.code.expired"));
  // The server ended the code early, after too many attempts.
  const [isUsedUp, setUsedUp] = useState(false);
  const wrongAttempts = useRef(0);
  const hasExpired = useCountdown(sent.expiresAt) === 0 || isUsedUp;
  const { completeSignIn: verify, isSigningIn } = useCompleteSignIn(
    (typed: string) => verifyCode(sent.challengeId, typed),
    onSignedIn,
  );

  function refused(cause: Error) {
    if (!(cause instanceof Fault) || !cause.refused) return;
    if (cause.code === "CODE_EXPIRED") {
      setUsedUp(true);
      setExpiryText(t(wrongAttempts.current < MAX_ATTEMPTS ? "auth.code.expired" : "auth.code.tooMany"));
      setCode("");
      return;
    }
    wrongAttempts.current += 1;
    setError(cause.message);
    field.current?.select();
  }

  function submit(typed: string) {
    if (isSigningIn || hasExpired) return;
    if (typed.length < CODE_LENGTH) setError(t("auth.code.short"));
    else verify(typed, { onError: refused });
  }

  function onCode(typed: string) {
    setCode(typed);
    setError(undefined);
    if (typed.length === CODE_LENGTH) submit(typed);
  }

  const acceptSmsCode = useEffectEvent(onCode);
  useEffect(() => {
    field.current?.focus();
    const leaving = new AbortController();
    void readSms(leaving.signal, (read) => acceptSmsCode(read));
    return () => leaving.abort();
  }, []);

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(code);
      }}
    >
      <CodeField
        ref={field}
        code={code}
        onCode={onCode}
        error={hasExpired ? expiryText : error}
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
