import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { DELETION_WORD, deleteAccount } from "@/features/profile/api/requests";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { SheetFooter } from "@/ui/SheetFooter";
import { TextField } from "@/ui/TextField";
import styles from "./DeleteAccount.module.css";

interface DeleteAccountDialogProps {
  readonly uid: string;
  /** A warning of what else is lost, from other features: the wallet's balance. */
  readonly warning: ReactNode;
  /** Makes the call, which ends every session of the player, after other features have ended what depends on them. */
  readonly endSessions: (call: () => Promise<void>) => Promise<void>;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

function confirmationSchema() {
  const error = t("profile.delete.wordMissing", { word: DELETION_WORD });
  return z.object({
    word: z.string().check(
      z.trim(),
      z.refine((word) => word === DELETION_WORD, error),
    ),
  });
}

/**
 * Whether the reply was lost on its way to the app, or from svc-auth to the gateway: the account may have been deleted
 * nevertheless.
 */
function mayHaveSucceeded(cause: Error): boolean {
  return cause instanceof Fault && (cause.status === 0 || cause.status === 503 || cause.status === 504);
}

/** Says what is lost and when. Only the typed word confirms the deletion. */
export function DeleteAccountDialog(props: DeleteAccountDialogProps) {
  const { uid, warning, endSessions, onDeleted, onClose } = props;
  const form = useForm({
    resolver: zodResolver(confirmationSchema()),
    defaultValues: { word: "" },
    // An error stays until the player types.
    reValidateMode: "onSubmit",
  });
  const mayBeDeleted = useRef(false);
  const deletion = useMutation({
    mutationFn: () => endSessions(() => deleteAccount(uid)),
    // The error is shown under the field.
    meta: { quiet: true },
    onSuccess: onDeleted,
    onError: (cause) => {
      // The first attempt has deleted the account, which ended every session. Reporting that as a sign-out would make
      // players sign in again, which cancels the deletion.
      if (mayBeDeleted.current && cause instanceof Fault && cause.unauthenticated) return onDeleted();
      mayBeDeleted.current ||= mayHaveSucceeded(cause);
      form.setError("word", { message: messageOf(cause) });
    },
  });
  const submit = form.handleSubmit(() => {
    if (!deletion.isPending && !deletion.isSuccess) deletion.mutate();
  });
  return (
    <Dialog title={t("profile.delete")} description={t("profile.delete.warning")} onClose={onClose}>
      {warning}
      <ul className={styles.points}>
        <li>{t("profile.delete.atOnce")}</li>
        <li>{t("profile.delete.later")}</li>
      </ul>
      <form className={styles.form} noValidate onSubmit={submit}>
        <TextField
          {...form.register("word", { onChange: () => form.clearErrors("word") })}
          label={t("profile.delete.word", { word: DELETION_WORD })}
          error={form.formState.errors.word?.message}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
        />
        <SheetFooter>
          <Button type="submit" variant="danger" wide busy={deletion.isPending || deletion.isSuccess}>
            {t("profile.delete.confirm")}
          </Button>
          <Button variant="quiet" wide onClick={onClose}>
            {t("profile.delete.keep")}
          </Button>
        </SheetFooter>
      </form>
    </Dialog>
  );
}
