import { Check, X } from "lucide-react";
import type { PaymentStatus } from "@/features/wallet/api";
import styles from "./ProgressFigure.module.css";

/** A phone in a ring while the payment is in progress; a tick or a cross when it is final. */
export function ProgressFigure({ status }: { readonly status: PaymentStatus }) {
  return (
    <div className={styles.figure} data-status={status}>
      <svg viewBox="0 0 200 200" width="200" height="200" aria-hidden="true">
        <circle cx="100" cy="100" r="88" className={styles.track} />
        <circle cx="100" cy="100" r="88" pathLength="100" className={styles.arc} />
      </svg>
      <div className={styles.inside}>
        {status === "COMPLETED" ? (
          <Check size={84} strokeWidth={2.5} />
        ) : status === "ERROR" ? (
          <X size={84} strokeWidth={2.5} />
        ) : (
          <svg viewBox="0 0 72 104" width="72" height="104" aria-hidden="true">
            <rect x="3" y="3" width="66" height="98" rx="14" className={styles.phone} />
            <rect x="11" y="14" width="50" height="70" rx="6" className={styles.glass} />
            <circle cx="21" cy="48" r="4.5" className={styles.pin} />
            <circle cx="31" cy="48" r="4.5" className={styles.pin} />
            <circle cx="41" cy="48" r="4.5" className={styles.pin} />
            <circle cx="51" cy="48" r="4.5" className={styles.pin} />
            <path d="M30 92h12" className={styles.button} />
          </svg>
        )}
      </div>
    </div>
  );
}
