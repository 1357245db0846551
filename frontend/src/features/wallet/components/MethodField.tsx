import { useId } from "react";
import type { PaymentMethod } from "@/features/wallet/api/requests";
import { useBalance } from "@/features/wallet/hooks/useWallet";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { MethodButton } from "./MethodButton";
import styles from "./MethodField.module.css";

interface MethodFieldProps {
  readonly method: PaymentMethod;
  /** The payment has been sent: its method stays. */
  readonly isFixed: boolean;
  readonly onChange: () => void;
}

/** The selected payment method. A press opens the sheet of methods. */
export function MethodField({ method, isFixed, onChange }: MethodFieldProps) {
  const id = useId();
  const { data: balance } = useBalance();
  const available = method.code === "WALLET" ? balance?.available : undefined;
  return (
    <div className={styles.field}>
      <p className={styles.label} id={`${id}-label`}>
        {t("pay.method.title")}
      </p>
      <MethodButton
        id={id}
        aria-labelledby={`${id}-label ${id}`}
        aria-haspopup="dialog"
        aria-disabled={isFixed}
        method={method}
        detail={
          available === undefined ? null : t("pay.method.wallet.note", { amount: formatKes(available) })
        }
        onClick={() => isFixed || onChange()}
      />
      {method.code === "CARD" ? <p className={styles.label}>{t("pay.confirm.card")}</p> : null}
    </div>
  );
}
