import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { confirmPasswordReset } from "@/features/auth/api/requests";
import { PasswordField } from "@/features/auth/components/PasswordField";
import { useResetMail } from "@/features/auth/hooks/useResetMail";
import { type NewPassword, newPasswordSchema, resetMailSchema } from "@/features/auth/model";
import { isPasswordRefused } from "@/features/auth/refusals";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { clearSession } from "@/lib/session/session";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./Password.module.css";

interface ResetPasswordFormProps {
  readonly token: string;
  readonly onDone: () => void;
  /** The link was used before, or is older than 30 minutes. */
  readonly onExpired: () => void;
}

/** Sets a new password with the token of a reset mail. */
export function ResetPasswordForm({ token, onDone, onExpired }: ResetPasswordFormProps) {
  const reset = useMutation({
    mutationFn: ({ newPassword }: NewPassword) => confirmPasswordReset(token, newPassword),
    // The screen shows an expired link itself.
    meta: { quiet: true },
    onSuccess: () => {
      // The server ended every session of the account, and this browser's may be one of them.
      clearSession();
      toast.success(t("password.reset.done"));
    },
  });
  const form = useForm<NewPassword>({
    resolver: zodResolver(newPasswordSchema()),
    defaultValues: { newPassword: "", confirmPassword: "" },
    mode: "onTouched",
  });
  const { errors, touchedFields } = form.formState;
  const submit = form.handleSubmit((values) =>
    reset.mutate(values, {
      onSuccess: onDone,
      onError: (cause) => {
        if (cause instanceof Fault && cause.code === "RESET_EXPIRED") onExpired();
        else if (isPasswordRefused(cause))
          form.setError("newPassword", { message: cause.message }, { shouldFocus: true });
        else toast.error(messageOf(cause));
      },
    }),
  );
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <PasswordField
        // Do not validate the confirmation before the player has reached it.
        {...form.register("newPassword", { deps: touchedFields.confirmPassword ? ["confirmPassword"] : [] })}
        label={t("password.new")}
        autoComplete="new-password"
        error={errors.newPassword?.message}
        hint={t("auth.password.hint")}
      />
      <PasswordField
        {...form.register("confirmPassword")}
        label={t("password.confirm")}
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
      />
      <div className={styles.foot}>
        <Button type="submit" wide busy={reset.isPending}>
          {t("password.reset.save")}
        </Button>
      </div>
    </form>
  );
}

/** Requests another reset mail after an expired link. */
export function ResetMailForm() {
  const resetMail = useResetMail();
  const form = useForm({ resolver: zodResolver(resetMailSchema()), defaultValues: { email: "" } });
  return (
    <form
      className={styles.request}
      noValidate
      onSubmit={form.handleSubmit(({ email }) => resetMail.send(email))}
    >
      <TextField
        {...form.register("email")}
        label={t("password.email")}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        error={form.formState.errors.email?.message}
      />
      <Button type="submit" wide busy={resetMail.isPending}>
        {t("password.reset.request")}
      </Button>
    </form>
  );
}
