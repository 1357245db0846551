import type { ReactNode } from "react";
import styles from "./SheetFooter.module.css";

/** The action of a sheet, at its bottom and in view while the content scrolls under it. */
export function SheetFooter({ children }: { readonly children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>;
}
