import { CircleAlert } from "lucide-react";
import { useFreshBalance } from "@/features/wallet/hooks/useWallet";
import type { WithdrawalCost } from "@/features/wallet/hooks/useWithdrawalCost";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Failed } from "@/ui/Failed";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./CostFacts.module.css";
import { StubFact } from "./Ticket";

interface CostFactsProps {
  /** What the fee is called. */
  readonly name: string;
  /** Undefined until the server has replied. */
  readonly fee: number | undefined;
  readonly total: number | undefined;
  /** Whether the server's reply has failed. */
  readonly isUnknown: boolean;
}

/** The fee and the total of a payment. */
export function CostFacts({ name, fee, total, isUnknown }: CostFactsProps) {
  const amountOf = (kes: number | undefined) =>
    kes === undefined ? (
      isUnknown ? (
        <span role="img" aria-label={t("wallet.unknown")}>
          –
        </span>
      ) : (
        <Skeleton width={88} height={18} radius={8} />
      )
    ) : (
      formatKes(kes)
    );
  return (
    <>
      <StubFact name={name}>{amountOf(fee)}</StubFact>
      <StubFact name={t("pay.review.total")}>
        <strong className={styles.total}>{amountOf(total)}</strong>
      </StubFact>
    </>
  );
}

/** The excise duty on a payment from outside, and what of it reaches the wallet; nothing while there is no duty. */
export function DutyFacts({ amount }: { readonly amount: number }) {
  const rate = useFreshBalance().data?.topUpTax;
  if (!rate) return null;
  // The rate is in hundredths of a percent. A percentage of shillings is a number of cents.
  const duty = Math.round((amount * rate) / 100);
  return (
    <>
      <StubFact name={t("pay.review.duty", { percent: String(rate / 100) })}>
        {formatKes(duty / 100)}
      </StubFact>
      <StubFact name={t("pay.review.credited")}>{formatKes((amount * 100 - duty) / 100)}</StubFact>
    </>
  );
}

/** Says why the withdrawal cannot continue: the fee is not known, or the wallet does not cover it. */
export function WithdrawalNotice({ cost }: { readonly cost: WithdrawalCost }) {
  if (cost.error && cost.fee === undefined)
    return <Failed error={cost.error} busy={cost.isFetching} onRetry={cost.retry} />;
  if (cost.missing === 0) return null;
  return (
    <p className={styles.short} role="alert">
      <CircleAlert size={22} strokeWidth={2.25} aria-hidden="true" />
      <span>
        {t("pay.review.short", {
          missing: formatKes(cost.missing),
          available: formatKes(cost.available ?? 0),
        })}
      </span>
    </p>
  );
}
