import { MailCheck, MailX } from "lucide-react";
import { paths } from "@/app/paths";
import { useConfirmEmail } from "@/features/auth/useConfirmEmail";
import { useLinkToken } from "@/features/auth/useLinkToken";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { Failed } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./confirm-email.module.css";

/** Opened by the link in a new account's mail. Opening it confirms the email. */
export function Component() {
  const token = useLinkToken();
  useTitle(t("confirmEmail.title"));
  return (
    <main className={styles.page} aria-live="polite">
      {token === null ? <InvalidLink reason="incomplete" /> : <Outcome token={token} />}
    </main>
  );
}

function Outcome({ token }: { readonly token: string }) {
  const confirmation = useConfirmEmail(token);
  const error = useLastError(confirmation);
  if (error instanceof Fault && error.refused) return <InvalidLink reason="expired" />;
  if (error)
    return (
      <Failed error={error} busy={confirmation.isFetching} onRetry={() => void confirmation.refetch()} />
    );
  if (confirmation.isPending)
    return (
      <Notice
        page
        art={<Skeleton width={96} height={96} radius={48} />}
        title={t("confirmEmail.inProgress")}
      />
    );
  return (
    <Notice
      page
      art={<MailCheck className={styles.good} size={96} strokeWidth={1.25} aria-hidden="true" />}
      title={t("confirmEmail.done")}
      text={t("confirmEmail.doneText")}
      action={<ContinueLink />}
    />
  );
}

function InvalidLink({ reason }: { readonly reason: "expired" | "incomplete" }) {
  return (
    <Notice
      page
      art={<MailX className={styles.bad} size={96} strokeWidth={1.25} aria-hidden="true" />}
      title={t(`confirmEmail.${reason}`)}
      text={t(`confirmEmail.${reason}Text`)}
      action={<ContinueLink />}
    />
  );
}

function ContinueLink() {
  const isSignedIn = useSignedIn();
  return (
    <ButtonLink to={isSignedIn ? paths.dashboard : paths.login} replace>
      {t(isSignedIn ? "profile.toHome" : "menu.login")}
    </ButtonLink>
  );
}
