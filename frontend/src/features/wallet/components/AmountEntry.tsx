import { Delete } from "lucide-react";
import { useEffect, useState } from "react";
import { limitsText, withDigit, withoutDigit } from "@/features/wallet/draft";
import { type PaymentType, paymentKinds } from "@/features/wallet/kinds";
import { formatCount, formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import styles from "./AmountEntry.module.css";

const QUICK_AMOUNTS = [50, 100, 500, 1000] as const;
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0] as const;

interface AmountEntryProps {
  readonly type: PaymentType;
  readonly amount: number;
  readonly onChange: (amount: number) => void;
  /** Called for the Enter key of a keyboard. */
  readonly onEnter: () => void;
}

interface Keys {
  readonly press: (digit: number) => void;
  readonly erase: () => void;
  readonly enter: () => void;
}

/** Whether a key event belongs to a focused button, for which Enter is a press. */
function isOnButton({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("button, a") !== null;
}

function useKeyboard({ press, erase, enter }: Keys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^\d$/.test(event.key)) press(Number(event.key));
      else if (event.key === "Backspace") erase();
      else if (event.key === "Enter" && !isOnButton(event)) enter();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

/** Shows the amount, its limits, quick amounts and the keypad. Whole shillings, digits only. */
export function AmountEntry({ type, amount, onChange, onEnter }: AmountEntryProps) {
  /** The amount at which a further digit was refused. */
  const [overAt, setOverAt] = useState<number | null>(null);
  const over = overAt === amount;
  const change = (next: number | null) => {
    setOverAt(next === null ? amount : null);
    if (next !== null) onChange(next);
  };
  const press = (digit: number) => change(withDigit(amount, digit, type));
  const erase = () => change(withoutDigit(amount));
  useKeyboard({ press, erase, enter: onEnter });
  const shown = formatCount(amount);
  return (
    <div className={styles.entry}>
      <div className={styles.display}>
        <p className={styles.amount} data-length={shown.length > 5 ? "long" : "short"}>
          <span className={styles.currency}>KES</span>
          <output
            aria-label={t("pay.amount.label")}
            aria-live="polite"
            data-empty={amount === 0 ? "" : undefined}
          >
            {shown}
          </output>
        </p>
        <p className={over ? styles.over : styles.limits} role="status">
          {over ? t(paymentKinds[type].over, { max: formatKes(paymentKinds[type].max) }) : limitsText(type)}
        </p>
      </div>
      <ul className={styles.quick} aria-label={t("pay.amount.quick")}>
        {QUICK_AMOUNTS.map((quick) => (
          <li key={quick}>
            <button
              type="button"
              className={styles.chip}
              aria-pressed={amount === quick}
              onClick={() => change(quick)}
            >
              {formatCount(quick)}
            </button>
          </li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form, but there is none */}
      <div className={styles.keypad} role="group" aria-label={t("pay.amount.keypad")}>
        {DIGITS.map((digit) => (
          <button
            key={digit}
            type="button"
            className={styles.key}
            data-digit={digit}
            onClick={() => press(digit)}
          >
            {digit}
          </button>
        ))}
        <button
          type="button"
          className={styles.key}
          data-erase=""
          aria-label={t("pay.amount.backspace")}
          onClick={erase}
        >
          <Delete size={28} strokeWidth={2.25} aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}
