import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { DELETION_WORD, deleteAccount } from "@/features/profile/api";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { TextField } from "@/ui/TextField";
import styles from "./DeleteAccount.module.css";

interface DeleteAccountDialogProps {
  readonly uid: string;
  /** What else is lost, from other features: the wallet's balance. */
  readonly warning: ReactNode;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Whether the reply was lost on its way, or svc-auth's to the gateway: the deletion may have happened all the same. */
function mayHaveSucceeded(cause: Error): boolean {
  return cause instanceof Fault && (cause.status === 0 || cause.status === 503 || cause.status === 504);
}

/** Says what is lost and when. Only the typed word confirms the deletion. */
export function DeleteAccountDialog({ uid, warning, onDeleted, onClose }: DeleteAccountDialogProps) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const mayBeDeleted = useRef(false);
  const deletion = useMutation({
    mutationFn: () => deleteAccount(uid),
    // The error is shown under the field.
    meta: { quiet: true },
    onSuccess: onDeleted,
    onError: (cause) => {
      // The first attempt did delete the account, which ended every session. Reporting that as a sign-out would make
      // players sign in again, which cancels the deletion.
      if (mayBeDeleted.current && cause instanceof Fault && cause.unauthenticated) return onDeleted();
      mayBeDeleted.current ||= mayHaveSucceeded(cause);
      setProblem(messageOf(cause));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (deletion.isPending || deletion.isSuccess) return;
    if (typed.trim() === DELETION_WORD) deletion.mutate();
    else setProblem(t("profile.delete.wordMissing", { word: DELETION_WORD }));
  };
  return (
    <Dialog title={t("profile.delete")} description={t("profile.delete.warning")} onClose={onClose}>
      {warning}
      <ul className={styles.points}>
        <li>{t("profile.delete.atOnce")}</li>
        <li>{t("profile.delete.later")}</li>
      </ul>
      <form className={styles.form} noValidate onSubmit={submit}>
        <TextField
          label={t("profile.delete.word", { word: DELETION_WORD })}
          error={problem}
          value={typed}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" variant="danger" wide busy={deletion.isPending || deletion.isSuccess}>
          {t("profile.delete.confirm")}
        </Button>
        <Button variant="quiet" wide onClick={onClose}>
          {t("profile.delete.keep")}
        </Button>
      </form>
    </Dialog>
  );
}
