import { zodResolver } from "@hookform/resolvers/zod";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { changePassword } from "@/features/auth/api/requests";
import { PasswordField } from "@/features/auth/components/PasswordField";
import { useResetMail } from "@/features/auth/hooks/useResetMail";
import { mailError, type PasswordChangeForm, passwordChangeSchema } from "@/features/auth/model";
import { isPasswordRefused } from "@/features/auth/refusals";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./Password.module.css";

const UPDATE = ["update", "password"];

interface ChangePasswordFormProps {
  /** The prefilled email, from the profile. */
  readonly email: string;
  readonly onChanged: () => void;
}

/** Changes the password of a player who knows the old one, and offers a reset mail otherwise. */
export function ChangePasswordForm({ email, onChanged }: ChangePasswordFormProps) {
  const resetMail = useResetMail();
  // Includes a change that an earlier visit to this screen started.
  const isUpdating = useIsMutating({ mutationKey: UPDATE }) > 0;
  const change = useMutation({
    mutationKey: UPDATE,
    mutationFn: ({ confirmPassword: _, ...rest }: PasswordChangeForm) => changePassword(rest),
    meta: { quiet: isPasswordRefused },
    onSuccess: (message) => toast.success(message),
  });
  const form = useForm<PasswordChangeForm>({
    resolver: zodResolver(passwordChangeSchema()),
    defaultValues: { email, oldPassword: "", newPassword: "", confirmPassword: "" },
    mode: "onTouched",
  });
  const { errors, touchedFields } = form.formState;
  const refused = (cause: Error) => {
    if (isPasswordRefused(cause))
      form.setError("newPassword", { message: cause.message }, { shouldFocus: true });
  };
  const submit = form.handleSubmit((values) =>
    change.mutate(values, { onSuccess: onChanged, onError: refused }),
  );

  function resetInstead() {
    const address = form.getValues("email").trim();
    const message = mailError(address);
    if (!message) return resetMail.send(address);
    // As a touched field, its error is validated again while the player types, so no button moves during a press.
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
        <Button type="submit" wide busy={isUpdating} onBusyPress={() => toast.error(t("update.inProgress"))}>
          {t("password.change.send")}
        </Button>
        <Button variant="plain" busy={resetMail.isPending} onClick={resetInstead}>
          {t("password.change.reset")}
        </Button>
        {/* The server gives the same reply for every address, so this note says when no mail will arrive. */}
        <p className={styles.note} role="status">
          {resetMail.sentTo ? t("password.change.noMail", { email: resetMail.sentTo }) : null}
        </p>
      </div>
    </form>
  );
}
