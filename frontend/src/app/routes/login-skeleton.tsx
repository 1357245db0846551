import { paths } from "@/app/paths";
import type { Mode } from "@/features/auth/model";
import { t } from "@/lib/i18n/i18n";
import { Duma } from "@/ui/Duma";
import { Kiondo } from "@/ui/Kiondo";
import { Link } from "@/ui/Link";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./login.module.css";

/** The login before its code has loaded: its texts, and boxes for the buttons. */
export function LoginSkeleton({ mode }: { readonly mode: Mode }) {
  return (
    <main className={styles.login}>
      <header className={styles.hello}>
        <Kiondo plain="left" />
        <span className={styles.sun} />
        {/* The screen's largest picture is in the skeleton, so that it does not wait for the code. */}
        <span className={styles.duma}>
          <Duma pose="wave" size={240} />
        </span>
        {/* Fills the place of the back arrow. */}
        <span className={styles.gap} />
        <div className={styles.words}>
          <h1 className={styles.title}>{t(`auth.${mode}.title`)}</h1>
          <p className={styles.line}>{t(`auth.${mode}.line`)}</p>
        </div>
      </header>
      <div className={styles.ways}>
        <Skeleton width={48} height={20} />
        <Skeleton height={56} />
        <Skeleton height={56} radius={16} />
        <Skeleton width="36%" height={28} />
        <Skeleton height={56} radius={16} />
      </div>
      {/* The screen's largest text is in the skeleton, so that it does not wait for the code. */}
      <p className={styles.legal}>
        {t("auth.adults")} <Link to={paths.terms}>{t("account.terms")}</Link> {t("auth.and")}{" "}
        <Link to={paths.privacy}>{t("account.privacy")}</Link>.
      </p>
    </main>
  );
}
