import { useEffect } from "react";
import { t } from "@/lib/i18n/i18n";

/** Focuses the screen's title, so that keyboard and screen reader continue from there. */
export function focusTitle(): void {
  const title = document.querySelector("h1");
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

/** Sets the document title, which names the page in the tab and for screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = t("app.pageTitle", { title });
  }, [title]);
}
