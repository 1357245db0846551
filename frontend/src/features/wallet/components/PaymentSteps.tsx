import { Check, Smartphone, Wallet } from "lucide-react";
import type { PaymentStatus } from "@/features/wallet/api/requests";
import { type PaymentType, paymentKinds } from "@/features/wallet/kinds";
import { t } from "@/lib/i18n/i18n";
import styles from "./PaymentSteps.module.css";

/** The number of steps that are done. */
const done: Readonly<Record<PaymentStatus, number>> = { PENDING: 0, IN_PROGRESS: 1, COMPLETED: 3, ERROR: 1 };

const glyphs = [Check, Smartphone, Wallet] as const;

interface PaymentStepsProps {
  readonly type: PaymentType;
  readonly status: PaymentStatus;
}

/** Where the payment is on its way: the request, the PIN, the end. */
export function PaymentSteps({ type, status }: PaymentStepsProps) {
  return (
    <ol className={styles.steps} aria-label={t("waiting.steps")}>
      {paymentKinds[type].steps.map((step, index) => {
        const state = index < done[status] ? "done" : index === done[status] ? "now" : "later";
        const Glyph = state === "done" ? Check : (glyphs[index] ?? Check);
        return (
          <li
            key={step}
            className={styles.step}
            data-state={state}
            aria-current={state === "now" ? "step" : undefined}
          >
            <span className={styles.mark}>
              <Glyph size={18} strokeWidth={2.5} aria-hidden="true" />
            </span>
            {t(step)}
          </li>
        );
      })}
    </ol>
  );
}
