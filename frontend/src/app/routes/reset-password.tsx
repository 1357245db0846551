import { useState } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { ResetMailForm, ResetPasswordForm } from "@/features/auth/components/ResetPasswordForm";
import { useLinkToken } from "@/features/auth/hooks/useLinkToken";
import { t } from "@/lib/i18n/i18n";
import { ButtonLink } from "@/ui/Button";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";
import { Stage } from "@/ui/Stage";

/** The screen that the link in a reset mail opens. */
export function Component() {
  const token = useLinkToken();
  const navigate = useNavigate();
  const [expired, setExpired] = useState<string | null>(null);
  const isUsable = token !== null && token !== expired;
  return (
    <Screen title={t("password.reset.title")}>
      {isUsable ? (
        <>
          <DumaCard world="maneno" pose="look">
            {t("password.reset.line")}
          </DumaCard>
          <ResetPasswordForm
            token={token}
            onDone={() => void navigate(paths.login, { replace: true, viewTransition: true })}
            onExpired={() => setExpired(token)}
          />
        </>
      ) : (
        <>
          <Stage
            pose="sulk"
            world="dash"
            title={t(token === null ? "password.reset.incomplete" : "password.reset.expired")}
            text={t(token === null ? "password.reset.incompleteText" : "password.reset.expiredText")}
          />
          <ResetMailForm />
          <ButtonLink variant="plain" to={paths.login}>
            {t("password.toLogin")}
          </ButtonLink>
        </>
      )}
    </Screen>
  );
}
