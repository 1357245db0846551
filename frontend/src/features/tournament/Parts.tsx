// Small parts that the cards, the board and home's strip share.
import { formatAmount, formatCount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Countdown } from "@/ui/Countdown";
import type { Tournament } from "./api";
import { countdownUnits, type Stage, timeLeftText } from "./model";
import styles from "./Parts.module.css";

/** "1,904.00" with small decimals. */
export function Points({ points }: { readonly points: number }) {
  const text = formatAmount(points);
  return (
    <span className={styles.figures}>
      {text.slice(0, -3)}
      <span className={styles.decimals}>{text.slice(-3)}</span>
    </span>
  );
}

/** "KES 5,000.00" with small decimals. */
export function Kes({ amount }: { readonly amount: number }) {
  const text = t("money.kes", { amount: formatAmount(amount) });
  return (
    <span className={styles.figures}>
      {text.slice(0, -3)}
      <span className={styles.decimals}>{text.slice(-3)}</span>
    </span>
  );
}

/** The total prize: the sum of the money, or the first award; renders nothing without awards. */
export function Prize({ tournament }: { readonly tournament: Pick<Tournament, "cash" | "firstAward"> }) {
  const { cash, firstAward } = tournament;
  if (cash !== null && cash > 0) {
    return (
      <p className={styles.prize}>
        <Kes amount={cash} />
      </p>
    );
  }
  return firstAward ? (
    <p className={styles.award}>{t("tournaments.firstWins", { award: firstAward })}</p>
  ) : null;
}

/** The number of players with a score. Renders nothing before the first one. */
export function Players({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return <span className={styles.players}>{t("tournaments.players", { count })}</span>;
}

interface TimeLeftProps {
  readonly tournament: Pick<Tournament, "starts" | "ends">;
  readonly stage: Exclude<Stage, "expired">;
}

/** The countdown to the start or to the end. */
export function TimeLeft({ tournament, stage }: TimeLeftProps) {
  return (
    <Countdown
      until={stage === "ongoing" ? tournament.ends : tournament.starts}
      label={(ms) => timeLeftText(stage, ms)}
      units={countdownUnits()}
    />
  );
}

/** The places that a player went up (green) or down. Renders nothing without a move. */
export function Move({ by }: { readonly by: number }) {
  if (by === 0) return null;
  const count = Math.abs(by);
  return (
    <span key={by} className={styles.move} data-down={by < 0 || undefined}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M6 10V2M2 6l4-4 4 4" fill="none" stroke="currentColor" strokeWidth="2.25" />
      </svg>
      <span aria-hidden="true">{formatCount(count)}</span>
      <span className="visually-hidden">{by > 0 ? t("rank.up", { count }) : t("rank.down", { count })}</span>
    </span>
  );
}
