import type { ReactNode } from "react";
import { paths } from "@/app/paths";
import { useConfirmEmail } from "@/features/auth/hooks/useConfirmEmail";
import { useLinkToken } from "@/features/auth/hooks/useLinkToken";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { Failed } from "@/ui/Failed";
import { StagePage } from "@/ui/Stage";
import styles from "./confirm-email.module.css";

/** Opened by the link in a new account's mail. Opening it confirms the email. */
export function Component() {
  const token = useLinkToken();
  useTitle(t("confirmEmail.title"));
  return (
    <div aria-live="polite">
      {token === null ? <InvalidLink reason="incomplete" /> : <Outcome token={token} />}
    </div>
  );
}

function Outcome({ token }: { readonly token: string }) {
  const confirmation = useConfirmEmail(token);
  const error = useLastError(confirmation);
  if (error instanceof Fault && error.refused) return <InvalidLink reason="expired" />;
  if (error) {
    return (
      <main className={styles.page}>
        <Failed error={error} busy={confirmation.isFetching} onRetry={() => void confirmation.refetch()} />
      </main>
    );
  }
  if (confirmation.isPending)
    return <StagePage pose="look" world="maneno" title={t("confirmEmail.inProgress")} />;
  return (
    <StagePage pose="cheer" world="ajua" title={t("confirmEmail.done")} text={t("confirmEmail.doneText")}>
      <ContinueLink />
    </StagePage>
  );
}

function InvalidLink({ reason }: { readonly reason: "expired" | "incomplete" }) {
  return (
    <StagePage
      pose="sulk"
      world="dash"
      title={t(`confirmEmail.${reason}`)}
      text={t(`confirmEmail.${reason}Text`)}
    >
      <ContinueLink />
    </StagePage>
  );
}

function ContinueLink(): ReactNode {
  const isSignedIn = useSignedIn();
  return (
    <ButtonLink wide to={isSignedIn ? paths.dashboard : paths.login} replace>
      {t(isSignedIn ? "profile.toHome" : "menu.login")}
    </ButtonLink>
  );
}
