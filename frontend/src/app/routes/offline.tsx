import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { useTitle } from "@/lib/title";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import styles from "./message.module.css";

function NoConnectionArt() {
  return (
    <svg className={styles.drawing} viewBox="0 0 160 120" width="200" height="150" aria-hidden="true">
      <path d="M16 52c36-36 92-36 128 0M38 74c24-24 60-24 84 0" className={styles.faint} />
      <path d="M60 96c11-11 29-11 40 0" className={styles.strong} />
      <path d="M28 16l104 96" className={styles.slash} />
    </svg>
  );
}

/** Shown while there is no connection. The app leaves it by itself when the server can be reached again. */
export function OfflineScreen() {
  const goBack = useGoBack(paths.home);
  useTitle(t("offline.title"));
  return (
    <main className={styles.message}>
      <Notice
        page
        art={<NoConnectionArt />}
        title={t("offline.title")}
        text={t("offline.text")}
        action={<Button onClick={goBack}>{t("offline.back")}</Button>}
      />
    </main>
  );
}
