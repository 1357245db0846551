import { BellRing } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import styles from "./Push.module.css";
import { usePush } from "./usePush";

/**
 * The reason for push notifications and the button that asks for the permission. Renders nothing once they are on or
 * blocked.
 */
export function PushOffer() {
  const { state, isChanging, change } = usePush();
  if (state !== "off") return null;
  return (
    <section className={styles.offer} aria-label={t("push.title")}>
      <BellRing className={styles.icon} size={28} strokeWidth={2.25} aria-hidden="true" />
      <p className={styles.reason}>{t("push.reason")}</p>
      <Button busy={isChanging} onClick={() => change(true)}>
        {t("push.switchOn")}
      </Button>
    </section>
  );
}
