import { zodResolver } from "@hookform/resolvers/zod";
import { Eye, EyeOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { type Credentials, credentialsSchema, isEmail, type Mode } from "@/features/auth/model";
import { useAuthenticate } from "@/features/auth/useAuthenticate";
import { t } from "@/lib/i18n/i18n";
import { Button, IconButton } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./EmailForm.module.css";

interface EmailFormProps {
  readonly mode: Mode;
  readonly onDone: () => void;
}

/** Email first; the password field appears once the email is valid. */
export function EmailForm({ mode, onDone }: EmailFormProps) {
  const [visible, setVisible] = useState(false);
  const authenticate = useAuthenticate(mode, onDone);
  const form = useForm<Credentials>({
    resolver: zodResolver(credentialsSchema(mode)),
    defaultValues: { email: "", password: "" },
    mode: "onTouched",
  });
  const emailValid = isEmail(form.watch("email"));
  const { errors } = form.formState;
  const submit = form.handleSubmit((values) => authenticate.mutate(values));

  // biome-ignore lint/correctness/useExhaustiveDependencies: what one mode found wrong says nothing in the other
  useEffect(() => form.clearErrors(), [mode]);

  const toggle = (
    <IconButton
      label={t(visible ? "auth.password.hide" : "auth.password.show")}
      onClick={() => setVisible(!visible)}
    >
      {visible ? <EyeOff strokeWidth={1.75} /> : <Eye strokeWidth={1.75} />}
    </IconButton>
  );

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        // A password that is not on the screen yet must not be found missing.
        if (emailValid) return void submit(event);
        event.preventDefault();
        void form.trigger("email", { shouldFocus: true });
      }}
    >
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
          <TextField
            {...form.register("password")}
            label={t("auth.password")}
            type={visible ? "text" : "password"}
            autoComplete={mode === "signUp" ? "new-password" : "current-password"}
            error={errors.password?.message}
            hint={mode === "signUp" ? t("auth.password.hint") : undefined}
            trailing={toggle}
          />
        </div>
      ) : null}
      <Button type="submit" wide busy={authenticate.isPending}>
        {t("auth.continue")}
      </Button>
      <p className={styles.status} role="status">
        {authenticate.isPending && mode === "signUp" ? t("auth.checking") : ""}
      </p>
    </form>
  );
}
