import { zodResolver } from "@hookform/resolvers/zod";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { changePassword } from "@/features/auth/api";
import { mailError, type PasswordChangeForm, passwordChangeSchema } from "@/features/auth/model";
import { PasswordField } from "@/features/auth/PasswordField";
import { useResetMail } from "@/features/auth/useResetMail";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./Password.module.css";

const UPDATE = ["update", "password"];

interface ChangePasswordFormProps {
  /** What the email is probably: the one of the profile. */
  readonly email: string;
  readonly onChanged: () => void;
}

/** A new password for who knows the old one; for who does not, a mail. */
export function ChangePasswordForm({ email, onChanged }: ChangePasswordFormProps) {
  const resetMail = useResetMail();
  // Also of a visit before this one: a player who went away and came back is still waiting for it.
  const isUnderway = useIsMutating({ mutationKey: UPDATE }) > 0;
  const change = useMutation({
    mutationKey: UPDATE,
    mutationFn: ({ confirmPassword: _, ...rest }: PasswordChangeForm) => changePassword(rest),
    onSuccess: (message) => toast.success(message),
  });
  const form = useForm<PasswordChangeForm>({
    resolver: zodResolver(passwordChangeSchema()),
    defaultValues: { email, oldPassword: "", newPassword: "", confirmPassword: "" },
    mode: "onTouched",
  });
  const { errors, touchedFields } = form.formState;
  const submit = form.handleSubmit((values) => change.mutate(values, { onSuccess: onChanged }));

  function resetInstead() {
    const address = form.getValues("email").trim();
    const message = mailError(address);
    if (!message) return resetMail.send(address);
    // Touched, so that the complaint goes while the email is typed, and moves no button from under a finger.
    form.setValue("email", address, { shouldTouch: true });
    form.setError("email", { message }, { shouldFocus: true });
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        {...form.register("email")}
        label={t("password.email")}
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.email?.message}
      />
      <PasswordField
        {...form.register("oldPassword")}
        label={t("password.old")}
        autoComplete="current-password"
        error={errors.oldPassword?.message}
      />
      <PasswordField
        // Who has not come to the second field yet has not left it empty.
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
        <Button type="submit" wide busy={isUnderway} onBusyPress={() => toast.error(t("update.underway"))}>
          {t("password.change.send")}
        </Button>
        <Button look="plain" busy={resetMail.isPending} onClick={resetInstead}>
          {t("password.change.reset")}
        </Button>
        {/* The server says the same of every address; who is signed in need not wait for a mail that cannot come. */}
        <p className={styles.note} role="status">
          {resetMail.sentTo ? t("password.change.noMail", { email: resetMail.sentTo }) : null}
        </p>
      </div>
    </form>
  );
}
