import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { t } from "@/lib/i18n/i18n";
import { focusTitle } from "@/lib/title";
import { MenuContent } from "./MenuContent";
import styles from "./Shell.module.css";

/** From 960 px on, the side menu is always open at the left. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.shell}>
      {/* A button, because a fragment link would add a history entry. */}
      <button type="button" className={styles.skip} onClick={focusTitle}>
        {t("ui.skip")}
      </button>
      <aside className={styles.aside}>
        <MenuContent />
      </aside>
      <div className={styles.content}>{children}</div>
    </div>
  );
}

export function Component() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
