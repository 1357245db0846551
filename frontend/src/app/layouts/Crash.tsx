import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";

/** Our own error, or a part of the app that could not be fetched: a reload is the remedy for both. */
export function Crash() {
  return (
    <main>
      <Notice
        page
        title={t("fault.unknown")}
        text={t("fault.crash")}
        action={<Button onClick={() => window.location.reload()}>{t("fault.reload")}</Button>}
      />
    </main>
  );
}
