import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";

/** Shown for a bug, or for a part of the app that failed to load. A reload helps with both. */
export function ErrorScreen() {
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
