import { Banknote, Hourglass, SearchCheck, ShieldX } from "lucide-react";
import { formatDate, formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Link } from "@/ui/Link";
import type { Board } from "./api";
import styles from "./Leaderboard.module.css";

type OwnPrize = Board["prizes"][number];

const glyphs = { PENDING: Hourglass, REVIEW: SearchCheck, PAID: Banknote, REFUSED: ShieldX } as const;

function textOf({ state, dueAt, needsPhone, reason }: OwnPrize): string {
  switch (state) {
    case "PENDING": {
      if (needsPhone) return t("prize.phone");
      const at = new Date(dueAt);
      return t("prize.pending", { date: formatDate(at), time: formatTime(at) });
    }
    case "REVIEW":
      return t("prize.review");
    case "PAID":
      return t("prize.paid");
    case "REFUSED":
      return t("prize.refused", { reason: reason ?? "" });
  }
}

interface OwnPrizesProps {
  readonly prizes: readonly OwnPrize[];
  /** The path of the screen on which the player confirms a phone for withdrawals. */
  readonly phones: string;
}

/** The prizes of money that the player won on this board, and how far they are. */
export function OwnPrizes({ prizes, phones }: OwnPrizesProps) {
  return prizes.map((prize, index) => {
    const Glyph = glyphs[prize.state];
    const title = prize.state === "REFUSED" ? "prize.title.refused" : "prize.title";
    return (
      // Prizes are in the order in which they were given, and none goes.
      // biome-ignore lint/suspicious/noArrayIndexKey: a prize has no id of its own
      <div key={index} className={styles.settling}>
        <Glyph size={28} strokeWidth={2.25} aria-hidden="true" />
        <div>
          <p role="status">
            <strong className={styles.settlingTitle}>{t(title, { amount: formatKes(prize.amount) })}</strong>
            {textOf(prize)}
          </p>
          {prize.needsPhone ? (
            <Link className={styles.settlingLink} to={phones}>
              {t("prize.phone.go")}
            </Link>
          ) : null}
        </div>
      </div>
    );
  });
}
