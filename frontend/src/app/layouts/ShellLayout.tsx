import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { t } from "@/lib/i18n/i18n";
import { focusTitle } from "@/lib/title";
import { MenuContent } from "./MenuContent";
import styles from "./Shell.module.css";

/** Beyond 960 px the side menu stands open at the left of every screen. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.shell}>
      {/* No link to a fragment: that would be a step of the history. */}
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
