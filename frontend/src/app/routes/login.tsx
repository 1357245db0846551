import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { afterSignIn, paths } from "@/app/paths";
import { EmailForm } from "@/features/auth/components/EmailForm";
import { PhoneMode } from "@/features/auth/components/PhoneMode";
import { Providers } from "@/features/auth/components/Providers";
import { SignInOutage } from "@/features/auth/components/SignInOutage";
import { usePhoneSteps } from "@/features/auth/hooks/usePhoneSteps";
import type { Mode } from "@/features/auth/model";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { Duma } from "@/ui/Duma";
import { Kiondo } from "@/ui/Kiondo";
import { Link } from "@/ui/Link";
import { BackTo } from "@/ui/Screen";
import styles from "./login.module.css";

/** Whether the onboarding led here: who has just read it has no account yet. */
function isNewcomer(state: unknown): boolean {
  return (state as { readonly isNewcomer?: unknown } | null)?.isNewcomer === true;
}

/** The screen of all ways to sign in. `/register`, and the onboarding, start with the sign-up toggle on. */
export function Component() {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const isNew = pathname === paths.register || isNewcomer(state);
  const [mode, setMode] = useState<Mode>(isNew ? "signUp" : "signIn");
  const { step, enterPhone, enterCode, off } = usePhoneSteps();
  useTitle(t("auth.pageTitle"));
  const other = mode === "signIn" ? "signUp" : "signIn";
  const shown = step === null ? mode : step.at;
  const enter = (isNewUser: boolean) => void navigate(afterSignIn(search, isNewUser), { replace: true });
  return (
    <main className={styles.login}>
      <header className={styles.hello}>
        <Kiondo plain="left" />
        <span className={styles.sun} />
        <span className={styles.duma}>
          <Duma pose="wave" size={240} />
        </span>
        <BackTo path={paths.home} />
        <div className={styles.words}>
          <h1 className={styles.title}>{t(`auth.${shown}.title`)}</h1>
          {shown === "code" ? null : <p className={styles.line}>{t(`auth.${shown}.line`)}</p>}
        </div>
      </header>
      <div className={styles.ways}>
        <SignInOutage />
        {step ? (
          <PhoneMode step={step} onPhone={enterPhone} onCode={enterCode} onOff={off} onSignedIn={enter} />
        ) : (
          <>
            <EmailForm mode={mode} onSignedIn={enter} />
            <Providers onPhone={enterPhone} onSignedIn={enter} />
            <p className={styles.toggle}>
              {t(mode === "signIn" ? "auth.toSignUp.question" : "auth.toSignIn.question")}
              <Button variant="plain" onClick={() => setMode(other)}>
                {t(mode === "signIn" ? "auth.toSignUp" : "auth.toSignIn")}
              </Button>
            </p>
          </>
        )}
      </div>
      <p className={styles.legal}>
        {t("auth.adults")} <Link to={paths.terms}>{t("account.terms")}</Link> {t("auth.and")}{" "}
        <Link to={paths.privacy}>{t("account.privacy")}</Link>.
      </p>
    </main>
  );
}
