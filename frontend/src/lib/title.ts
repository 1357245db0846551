import { useEffect } from "react";
import { t } from "@/lib/i18n/i18n";

/** Names the page in the tab and for screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = t("app.pageTitle", { title });
  }, [title]);
}
