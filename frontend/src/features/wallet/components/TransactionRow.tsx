import {
  ArrowDownLeft,
  ArrowUpRight,
  Gift,
  Landmark,
  type LucideIcon,
  RotateCcw,
  Trophy,
  Undo2,
  UserRound,
  Zap,
} from "lucide-react";
import type { Friend } from "@/features/wallet/api/friends";
import type { Transaction } from "@/features/wallet/api/requests";
import { directionOf, titleOf } from "@/features/wallet/history";
import { formatKes, formatTime } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { RowDetails } from "@/ui/Rows";
import { Tile, type Tone } from "@/ui/Tile";
import styles from "./History.module.css";
import { Receipt } from "./Receipt";

type Kind = Transaction["kind"];

const looks: Readonly<Record<Kind, { readonly Glyph: LucideIcon; readonly tone: Tone }>> = {
  TOP_UP: { Glyph: ArrowDownLeft, tone: "mint" },
  BOOST: { Glyph: Gift, tone: "coral" },
  PRIZE: { Glyph: Trophy, tone: "mango" },
  WITHDRAWAL: { Glyph: ArrowUpRight, tone: "coral" },
  SUBSCRIPTION: { Glyph: Zap, tone: "mango" },
  REFUND: { Glyph: Undo2, tone: "sky" },
  REVERSAL: { Glyph: RotateCcw, tone: "plain" },
  CREDIT: { Glyph: ArrowDownLeft, tone: "sky" },
  FORMER_ACCOUNT: { Glyph: UserRound, tone: "mint" },
  EXCISE_DUTY: { Glyph: Landmark, tone: "plain" },
  WITHHOLDING_TAX: { Glyph: Landmark, tone: "plain" },
};

interface TransactionRowProps {
  readonly transaction: Transaction;
  /** The other player of a boost, once known. */
  readonly friend: Friend | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One transaction. Pressing it opens its receipt below, like the stub of a ticket. */
export function TransactionRow({ transaction, friend, isOpen, onToggle }: TransactionRowProps) {
  const isCredit = directionOf(transaction) === "credit";
  const { Glyph, tone } = looks[transaction.kind];
  return (
    <RowDetails
      icon={
        <Tile tone={tone}>
          <Glyph size={22} strokeWidth={2.25} aria-label={t(isCredit ? "wallet.credit" : "wallet.debit")} />
        </Tile>
      }
      title={titleOf(transaction)}
      detail={[
        friend ? `@${friend.username ?? friend.name}` : transaction.detail,
        formatTime(new Date(transaction.createdAt)),
      ]
        .filter(Boolean)
        .join(" · ")}
      trailing={
        <span className={`${styles.amount} ${isCredit ? styles.credit : ""}`}>
          {isCredit ? "+" : "−"}
          {formatKes(transaction.amount)}
        </span>
      }
      isOpen={isOpen}
      onToggle={onToggle}
    >
      <Receipt transaction={transaction} friend={friend} />
    </RowDetails>
  );
}
