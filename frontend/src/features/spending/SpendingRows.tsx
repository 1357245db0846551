import { Banknote, Trophy, Zap } from "lucide-react";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Row, RowButton, Rows } from "@/ui/Rows";
import { Tile } from "@/ui/Tile";
import type { LimitOf, PeriodSpending, Spending } from "./api";
import { spendingOf } from "./model";
import { changeText, kindNames, periodNames } from "./names";
import styles from "./Spending.module.css";

const icon = { size: 22, strokeWidth: 2.25, "aria-hidden": true } as const;

/** The limit and how full it is, and the change that is to come. */
function Limit({ spending: { spent, limit, change } }: { readonly spending: Spending }) {
  if (limit == null && !change) return t("spending.noLimit");
  return (
    <>
      {limit == null ? null : (
        <>
          {t("spending.limit", { limit: formatKes(limit) })}
          <meter className={styles.meter} max={limit} value={Math.min(spent, limit)} aria-hidden="true" />
        </>
      )}
      {change ? <span className={styles.change}>{changeText(change)}</span> : null}
    </>
  );
}

interface SpendingRowsProps {
  readonly period: PeriodSpending;
  /** Opens the sheet of a limit. */
  readonly onLimit: (of: LimitOf) => void;
}

/** What was spent and won in one period; a row of spending opens its limit. */
export function SpendingRows({ period, onLimit }: SpendingRowsProps) {
  const name = periodNames()[period.period];
  const amount = (kes: number) => <strong className={styles.amount}>{formatKes(kes)}</strong>;
  return (
    <section>
      <h2 className={styles.heading}>{name}</h2>
      <Rows label={name}>
        {(["MONEY_IN", "PACKAGES"] as const).map((kind) => {
          const spending = spendingOf(period, kind);
          return (
            <RowButton
              key={kind}
              icon={
                <Tile tone={kind === "MONEY_IN" ? "mint" : "mango"}>
                  {kind === "MONEY_IN" ? <Banknote {...icon} /> : <Zap {...icon} />}
                </Tile>
              }
              title={kindNames()[kind]}
              detail={<Limit spending={spending} />}
              trailing={amount(spending.spent)}
              onClick={() => onLimit({ kind, period: period.period })}
            />
          );
        })}
        <Row
          icon={
            <Tile tone="sky">
              <Trophy {...icon} />
            </Tile>
          }
          title={t("spending.won")}
          trailing={amount(period.won)}
        />
      </Rows>
    </section>
  );
}
