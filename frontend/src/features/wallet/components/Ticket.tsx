import type { ReactNode } from "react";
import { formatAmount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import styles from "./Ticket.module.css";

interface TicketProps {
  /** The title of the payment. */
  readonly kind: string;
  readonly amount: number;
  /** The id of the amount, if it labels a form. */
  readonly amountId?: string;
  /** The facts on the stub. */
  readonly children: ReactNode;
}

/** A payment as a ticket: title and amount, and below the tear the details. */
export function Ticket({ kind, amount, amountId, children }: TicketProps) {
  return (
    <div className={styles.ticket}>
      <div className={styles.head}>
        <p className={styles.kind}>{kind}</p>
        <p className={styles.amount} id={amountId}>
          {t("money.kes", { amount: formatAmount(amount) })}
        </p>
      </div>
      <Stub>{children}</Stub>
    </div>
  );
}

/** The part of a ticket below the tear. */
export function Stub({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <dl className={styles.stub} aria-label={label}>
      {children}
    </dl>
  );
}

export function StubFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
