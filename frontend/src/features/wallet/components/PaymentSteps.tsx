import { Check, CreditCard, Smartphone, Wallet } from "lucide-react";
import type { PaymentStatus } from "@/features/wallet/api/requests";
import { type PaymentType, paymentKinds } from "@/features/wallet/kinds";
import { t } from "@/lib/i18n/i18n";
import styles from "./PaymentSteps.module.css";

/** The number of completed steps. */
const done: Readonly<Record<PaymentStatus, number>> = { PENDING: 0, IN_PROGRESS: 1, COMPLETED: 3, ERROR: 1 };

const glyphs = [Check, Smartphone, Wallet] as const;

interface PaymentStepsProps {
  readonly type: PaymentType;
  readonly status: PaymentStatus;
  /** The code of the method, if it is known. */
  readonly method?: string | undefined;
}

/** The text of the player's or the provider's step, if it differs from M-Pesa's. */
const middle = {
  CARD: "waiting.step.card",
  SAFARICOM_CREDIT: "waiting.step.airtime",
} as const;

const hasStep = (method: string): method is keyof typeof middle => method in middle;

/** The steps of a payment: the request, the PIN, the end. */
export function PaymentSteps({ type, status, method = "" }: PaymentStepsProps) {
  const [first, second, last] = paymentKinds[type].steps;
  const steps = [first, hasStep(method) ? middle[method] : second, last] as const;
  return (
    <ol className={styles.steps} aria-label={t("waiting.steps")}>
      {steps.map((step, index) => {
        const state = index < done[status] ? "done" : index === done[status] ? "now" : "later";
        const Glyph =
          state === "done" ? Check : index === 1 && method === "CARD" ? CreditCard : (glyphs[index] ?? Check);
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
