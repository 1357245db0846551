import { Check } from "lucide-react";
import type { PaymentStatus } from "@/features/wallet/api/requests";
import { Duma, type Pose } from "@/ui/Duma";
import styles from "./ProgressFigure.module.css";

const poses: Readonly<Record<PaymentStatus, Pose>> = {
  PENDING: "run",
  IN_PROGRESS: "run",
  COMPLETED: "cheer",
  ERROR: "sulk",
};

/** The cheetah in a ring: running while the payment is on its way, and in a pose of the result afterwards. */
export function ProgressFigure({ status }: { readonly status: PaymentStatus }) {
  return (
    <div className={styles.figure} data-status={status}>
      <svg viewBox="0 0 232 232" aria-hidden="true">
        <circle cx="116" cy="116" r="110" className={styles.track} />
        <circle cx="116" cy="116" r="110" pathLength="100" className={styles.arc} />
      </svg>
      <div className={styles.inside}>
        <Duma pose={poses[status]} size={200} />
      </div>
      {status === "COMPLETED" ? (
        <span className={styles.badge}>
          <Check size={28} strokeWidth={3} aria-hidden="true" />
        </span>
      ) : null}
    </div>
  );
}
