import { useWithdrawable } from "@/features/wallet/hooks/useWithdrawalCost";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import styles from "./Withdrawable.module.css";

interface WithdrawableProps {
  /** Called with the amount that the wallet covers together with its fee. */
  readonly onAll: (amount: number) => void;
}

/** What the wallet has, and a button that enters all of it but the fee. */
export function Withdrawable({ onAll }: WithdrawableProps) {
  const { available, most } = useWithdrawable();
  return (
    <div className={styles.withdrawable}>
      <p>{available === undefined ? null : t("wallet.available", { amount: formatKes(available) })}</p>
      {most > 0 ? (
        <Button variant="plain" onClick={() => onAll(most)}>
          {t("pay.amount.all")}
        </Button>
      ) : null}
    </div>
  );
}
