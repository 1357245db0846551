import { confirmJoin, startJoin } from "@/features/auth/api/requests";
import { MailedCodeDialog } from "@/features/auth/components/MailedCodeDialog";
import { completeSignIn } from "@/features/auth/hooks/useCompleteSignIn";
import { t } from "@/lib/i18n/i18n";

interface JoinDialogProps {
  /** The one-time code of the sign-in with a provider. */
  readonly exchangeCode: string;
  readonly onClose: () => void;
  readonly onSignedIn: () => void;
}

/** Asks for a mailed code, when another account has the email of the provider's account. */
export function JoinDialog({ exchangeCode, onClose, onSignedIn }: JoinDialogProps) {
  return (
    <MailedCodeDialog
      title={t("join.title")}
      reason={t("join.text")}
      send={() => startJoin(exchangeCode)}
      confirm={async (code) => {
        await completeSignIn(await confirmJoin(exchangeCode, code));
      }}
      onClose={onClose}
      onConfirmed={onSignedIn}
    />
  );
}
