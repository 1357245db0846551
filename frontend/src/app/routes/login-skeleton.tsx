import { paths } from "@/app/paths";
import type { Mode } from "@/features/auth/model";
import { t } from "@/lib/i18n/i18n";
import { Link } from "@/ui/Link";
import { Mark } from "@/ui/Mark";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./login.module.css";

/** The login before its code is there: its words, and boxes for what can be pressed. */
export function LoginSkeleton({ mode }: { readonly mode: Mode }) {
  return (
    <div className={styles.login}>
      <header className={styles.header}>
        <Skeleton width={48} height={48} radius={24} />
      </header>
      <main className={styles.main}>
        <div className={styles.intro}>
          <span className={styles.mark}>
            <Mark size={56} />
          </span>
          <h1 className={styles.title}>{t(`auth.${mode}.title`)}</h1>
          <p className={styles.line}>{t(`auth.${mode}.line`)}</p>
        </div>
        <Skeleton height={76} />
        <Skeleton height={52} radius={16} />
        <Skeleton height={52} radius={16} />
      </main>
      {/* The screen's largest text, so that it does not wait for the code. */}
      <footer className={styles.legal}>
        {t("auth.adults")} <Link to={paths.terms}>{t("account.terms")}</Link> {t("auth.and")}{" "}
        <Link to={paths.privacy}>{t("account.privacy")}</Link>.
      </footer>
    </div>
  );
}
