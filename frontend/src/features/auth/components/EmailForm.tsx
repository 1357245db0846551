import { zodResolver } from "@hookform/resolvers/zod";
import { type SyntheticEvent, useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { type SignedIn, signIn, signUp } from "@/features/auth/api/requests";
import { solveCaptcha } from "@/features/auth/captcha";
import { PasswordField } from "@/features/auth/components/PasswordField";
import { type OnSignedIn, useCompleteSignIn } from "@/features/auth/hooks/useCompleteSignIn";
import { useResetMail } from "@/features/auth/hooks/useResetMail";
import { type Credentials, credentialsSchema, isEmail, type Mode, mailError } from "@/features/auth/model";
import { isPasswordRefused } from "@/features/auth/refusals";
import { fetchChallenge } from "@/lib/captcha/captcha";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./EmailForm.module.css";

async function authenticate(mode: Mode, { email, password }: Credentials): Promise<SignedIn> {
  if (mode === "signIn") return signIn(email, password);
  // Each attempt needs a new captcha: the server accepts a solution once, even when it then refuses the sign-up.
  return signUp(email, password, await solveCaptcha(await fetchChallenge()));
}

interface EmailFormProps {
  readonly mode: Mode;
  readonly onSignedIn: OnSignedIn;
}

/** Email first; the password field appears once the email is valid. */
export function EmailForm({ mode, onSignedIn }: EmailFormProps) {
  const { completeSignIn, isSigningIn } = useCompleteSignIn(
    (credentials: Credentials) => authenticate(mode, credentials),
    onSignedIn,
    isPasswordRefused,
  );
  const resetMail = useResetMail();
  const form = useForm<Credentials>({
    resolver: zodResolver(credentialsSchema(mode)),
    defaultValues: { email: "", password: "" },
    mode: "onTouched",
  });
  const emailValid = isEmail(form.watch("email"));
  const { errors } = form.formState;
  const refused = (cause: Error) => {
    if (isPasswordRefused(cause))
      form.setError("password", { message: cause.message }, { shouldFocus: true });
  };
  const submit = form.handleSubmit((values) => completeSignIn(values, { onError: refused }));
  /** Whether Continue has led to the password in this mode. */
  const wasLed = useRef(false);

  function submitByStep(event: SyntheticEvent) {
    event.preventDefault();
    // The password is validated only while its field is visible, and not before the player has seen the field.
    if (!emailValid) return void form.trigger("email", { shouldFocus: true });
    if (!wasLed.current && form.getValues("password") === "") {
      wasLed.current = true;
      return form.setFocus("password");
    }
    void submit(event);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: errors of one mode do not apply to the other
  useEffect(() => {
    form.clearErrors();
    wasLed.current = false;
  }, [mode]);

  function forgot() {
    const email = form.getValues("email").trim();
    const message = mailError(email);
    if (!message) return resetMail.send(email);
    // As a touched field, its error is validated again while the player types. Otherwise it would disappear on the press
    // of the button, which would then move away from under the finger.
    form.setValue("email", email, { shouldTouch: true });
    form.setError("email", { message }, { shouldFocus: true });
  }

  return (
    <form className={styles.form} noValidate onSubmit={submitByStep}>
      <TextField
        {...form.register("email")}
        label={t("auth.email")}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.email?.message}
      />
      {emailValid ? (
        <div className={styles.reveal}>
          <PasswordField
            {...form.register("password")}
            label={t("auth.password")}
            autoComplete={mode === "signUp" ? "new-password" : "current-password"}
            error={errors.password?.message}
            hint={mode === "signUp" ? t("auth.password.hint") : undefined}
          />
        </div>
      ) : null}
      <Button type="submit" wide busy={isSigningIn}>
        {t("auth.continue")}
      </Button>
      <div className={styles.forgot}>
        <Button variant="plain" busy={resetMail.isPending} onClick={forgot}>
          {t("auth.forgot")}
        </Button>
      </div>
      <p className={styles.status} role="status">
        {isSigningIn && mode === "signUp" ? t("auth.checking") : ""}
      </p>
    </form>
  );
}
