import { TriangleAlert } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import styles from "./DeleteAccount.module.css";

/** Warns what deleting the account means, with the button that opens the dialog. */
export function DeleteAccount({ onAsk }: { readonly onAsk: () => void }) {
  return (
    <section className={styles.block} aria-labelledby="deletion">
      <TriangleAlert size={22} aria-hidden="true" />
      <div className={styles.words}>
        <h2 id="deletion" className={styles.title}>
          {t("profile.delete")}
        </h2>
        <p>{t("profile.delete.warning")}</p>
        <Button variant="danger" onClick={onAsk}>
          {t("profile.delete")}
        </Button>
      </div>
    </section>
  );
}
