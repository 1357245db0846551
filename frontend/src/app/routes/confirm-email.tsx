import { type ReactNode, useState } from "react";
import { paths } from "@/app/paths";
import { ConfirmEmailForm } from "@/features/auth/components/ConfirmEmailForm";
import { useLinkToken } from "@/features/auth/hooks/useLinkToken";
import { t } from "@/lib/i18n/i18n";
import { useSignedIn } from "@/lib/session/useSession";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";
import { StagePage } from "@/ui/Stage";

type Outcome = "confirmed" | "expired" | { readonly removed: string };

/**
 * The screen that the link in a new account's mail opens. Opening it confirms nothing, because programs that scan mails
 * open links too.
 */
export function Component() {
  const token = useLinkToken();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useTitle(t("confirmEmail.title"));
  return <div aria-live="polite">{page()}</div>;

  function page(): ReactNode {
    if (token === null) return <InvalidLink reason="incomplete" />;
    if (outcome === "expired") return <InvalidLink reason="expired" />;
    if (outcome === "confirmed") {
      return (
        <StagePage pose="cheer" world="ajua" title={t("confirmEmail.done")} text={t("confirmEmail.doneText")}>
          <ContinueLink />
        </StagePage>
      );
    }
    if (outcome !== null) {
      return (
        <StagePage pose="look" world="dash" title={t("confirmEmail.removed")} text={outcome.removed}>
          <ContinueLink />
        </StagePage>
      );
    }
    return (
      <Screen title={t("confirmEmail.title")}>
        <DumaCard world="maneno" pose="look">
          {t("confirmEmail.line")}
        </DumaCard>
        <ConfirmEmailForm
          token={token}
          onConfirmed={() => setOutcome("confirmed")}
          onRemoved={(removed) => setOutcome({ removed })}
          onExpired={() => setOutcome("expired")}
        />
      </Screen>
    );
  }
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
