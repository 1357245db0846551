import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { MenuContent } from "./MenuContent";
import styles from "./Shell.module.css";

/** Beyond 960 px the side menu stands open at the left of every screen. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.shell}>
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
