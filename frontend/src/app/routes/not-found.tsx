import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import styles from "./message.module.css";

function SignpostArt() {
  return (
    <svg className={styles.drawing} viewBox="0 0 160 130" width="200" height="162" aria-hidden="true">
      <path d="M80 24v100" className={styles.faint} />
      <path d="M40 30h64l16 16-16 16H40Z" className={styles.board} />
      <path d="M122 72H62L46 86l16 14h60Z" className={styles.plank} />
      <path d="M56 124h48" className={styles.faint} />
    </svg>
  );
}

export function Component() {
  useTitle(t("notFound.title"));
  return (
    <main className={styles.message}>
      <Notice
        page
        art={<SignpostArt />}
        title={t("notFound.title")}
        text={t("notFound.text")}
        action={<ButtonLink to={paths.home}>{t("notFound.home")}</ButtonLink>}
      />
    </main>
  );
}
