import type { ReactNode } from "react";
import styles from "./SheetFooter.module.css";

/** The actions of a sheet or dialog, at its bottom; on tall screens in view while the content scrolls under them. */
export function SheetFooter({ children }: { readonly children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>;
}
