import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { confirmEmail, rejectEmail } from "@/features/auth/api/requests";
import { PasswordField } from "@/features/auth/components/PasswordField";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { useSignedIn } from "@/lib/session/useSession";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { SheetFooter } from "@/ui/SheetFooter";
import styles from "./Password.module.css";

interface ConfirmEmailProps {
  readonly token: string;
  /** The link is older than 24 hours, or was voided. */
  readonly onExpired: () => void;
}

interface ConfirmEmailFormProps extends ConfirmEmailProps {
  readonly onConfirmed: () => void;
  /** Called with the server's message after the address was removed. */
  readonly onRemoved: (message: string) => void;
}

/** The name of the sheet in the navigation state. */
const REJECT = "reject";

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Fault && cause.code === code;
}

/**
 * Confirms an email with the token of its mail. The owner of an address may not be the one who made the account, so a
 * guest proves it by the password, and may remove the address instead.
 */
export function ConfirmEmailForm({ token, onConfirmed, onRemoved, onExpired }: ConfirmEmailFormProps) {
  const isSignedIn = useSignedIn();
  // A player who is signed in to another account is asked too, once the server says so.
  const [isPasswordNeeded, setPasswordNeeded] = useState(!isSignedIn);
  const overlay = useOverlay();
  const confirm = useMutation({
    mutationFn: (password: string | undefined) => confirmEmail(token, password),
    meta: { quiet: true },
  });
  const form = useForm({ defaultValues: { password: "" } });
  const submit = form.handleSubmit(({ password }) =>
    confirm.mutate(isPasswordNeeded ? password : undefined, {
      onSuccess: onConfirmed,
      onError: (cause) => {
        if (hasCode(cause, "LINK_EXPIRED")) onExpired();
        else if (hasCode(cause, "PASSWORD_NEEDED")) {
          setPasswordNeeded(true);
          toast.info(messageOf(cause));
        } else toast.error(messageOf(cause));
      },
    }),
  );
  const isAsked = isPasswordNeeded && isSignedIn;
  useEffect(() => {
    if (isAsked) form.setFocus("password");
  }, [isAsked, form]);
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {isPasswordNeeded ? (
        <PasswordField
          {...form.register("password", { required: t("auth.password.required") })}
          label={t("confirmEmail.password")}
          autoComplete="current-password"
          error={form.formState.errors.password?.message}
        />
      ) : null}
      <div className={styles.foot}>
        <Button type="submit" wide busy={confirm.isPending}>
          {t("confirmEmail.confirm")}
        </Button>
        <Button variant="quiet" wide onClick={() => overlay.show(REJECT)}>
          {t("confirmEmail.notMe")}
        </Button>
      </div>
      {overlay.current === REJECT ? (
        <RejectEmail token={token} onRemoved={onRemoved} onExpired={onExpired} onClose={overlay.hide} />
      ) : null}
    </form>
  );
}

interface RejectEmailProps extends ConfirmEmailProps {
  readonly onRemoved: (message: string) => void;
  readonly onClose: () => void;
}

/** Asks before an address is removed from its account. */
function RejectEmail({ token, onRemoved, onExpired, onClose }: RejectEmailProps) {
  const reject = useMutation({ mutationFn: () => rejectEmail(token), meta: { quiet: true } });
  const remove = () =>
    reject.mutate(undefined, {
      onSuccess: onRemoved,
      onError: (cause) => {
        if (hasCode(cause, "LINK_EXPIRED")) onExpired();
        else toast.error(messageOf(cause));
      },
    });
  return (
    <Dialog
      title={t("confirmEmail.notMe")}
      description={t("confirmEmail.notMeText")}
      shape="sheet"
      onClose={onClose}
    >
      <SheetFooter>
        <Button variant="danger" wide busy={reject.isPending} onClick={remove}>
          {t("confirmEmail.remove")}
        </Button>
        <Button variant="quiet" wide onClick={onClose}>
          {t("confirmEmail.back")}
        </Button>
      </SheetFooter>
    </Dialog>
  );
}
