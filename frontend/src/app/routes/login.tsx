import { useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { afterSignIn, paths } from "@/app/paths";
import { EmailForm } from "@/features/auth/EmailForm";
import type { Mode } from "@/features/auth/model";
import { Providers } from "@/features/auth/Providers";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { Mark } from "@/ui/Mark";
import { BackTo } from "@/ui/Screen";
import styles from "./login.module.css";

/** One screen for both ways in; `/register` starts with the sign-up toggle on. */
export function Component() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [mode, setMode] = useState<Mode>(pathname === paths.register ? "signUp" : "signIn");
  useTitle(t("auth.pageTitle"));
  const other = mode === "signIn" ? "signUp" : "signIn";
  return (
    <div className={styles.login}>
      <header className={styles.header}>
        <BackTo path={paths.home} />
      </header>
      <main className={styles.main}>
        <div className={styles.intro}>
          <span className={styles.mark}>
            <Mark size={56} />
          </span>
          <h1 className={styles.title}>{t(`auth.${mode}.title`)}</h1>
          <p className={styles.line}>{t(`auth.${mode}.line`)}</p>
        </div>
        <EmailForm mode={mode} onDone={() => void navigate(afterSignIn(search), { replace: true })} />
        <p className={styles.toggle}>
          {t(mode === "signIn" ? "auth.toSignUp.question" : "auth.toSignIn.question")}
          <Button look="plain" onClick={() => setMode(other)}>
            {t(mode === "signIn" ? "auth.toSignUp" : "auth.toSignIn")}
          </Button>
        </p>
        <Providers />
      </main>
      <footer className={styles.legal}>
        {t("auth.adults")} <Link to={paths.terms}>{t("account.terms")}</Link> {t("auth.and")}{" "}
        <Link to={paths.privacy}>{t("account.privacy")}</Link>.
      </footer>
    </div>
  );
}
