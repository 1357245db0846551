import { useEffect } from "react";
import { t } from "@/lib/i18n/i18n";

/** Puts the focus on the title of the screen: from there on the keyboard and the screen reader go on. */
export function focusTitle(): void {
  const title = document.querySelector("h1");
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

/** Names the page in the tab and for screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = t("app.pageTitle", { title });
  }, [title]);
}
