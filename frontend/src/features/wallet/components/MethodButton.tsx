import {
  CardSim,
  ChevronRight,
  CreditCard,
  Lock,
  type LucideIcon,
  Smartphone,
  Wallet as WalletIcon,
} from "lucide-react";
import type { ButtonHTMLAttributes } from "react";
import type { PaymentMethod } from "@/features/wallet/api/requests";
import { isMethod, type MethodCode } from "@/features/wallet/kinds";
import { t } from "@/lib/i18n/i18n";
import { Tile, type Tone } from "@/ui/Tile";
import styles from "./MethodButton.module.css";

interface Look {
  readonly Glyph: LucideIcon;
  readonly tone: Tone;
}

const looks: Readonly<Record<MethodCode, Look>> = {
  MPESA: { Glyph: Smartphone, tone: "mint" },
  CARD: { Glyph: CreditCard, tone: "sky" },
  WALLET: { Glyph: WalletIcon, tone: "mango" },
  SAFARICOM_CREDIT: { Glyph: CardSim, tone: "coral" },
  PAYPAL: { Glyph: Lock, tone: "plain" },
};
/** The icon of a method that is coming. */
const off: Look = { Glyph: Lock, tone: "plain" };

interface MethodButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly method: PaymentMethod;
  /** Whether the sheet suggests the method. */
  readonly isFirst?: boolean;
  readonly isComing?: boolean;
  /** A short remark about the method below its name. */
  readonly detail: string | null;
}

/** One payment method: its whole row is the target. */
export function MethodButton({
  method,
  isFirst = false,
  isComing = false,
  detail,
  ...button
}: MethodButtonProps) {
  const { Glyph, tone } = isMethod(method.code) && !isComing ? looks[method.code] : off;
  const look = isComing ? styles.off : isFirst ? styles.first : "";
  return (
    <button aria-disabled={isComing} {...button} type="button" className={`${styles.method} ${look}`}>
      <Tile tone={tone}>
        <Glyph size={22} strokeWidth={2.25} aria-hidden="true" />
      </Tile>
      <span className={styles.words}>
        <span className={styles.name}>{method.name}</span>
        {detail && !isComing ? <span className={styles.detail}>{detail}</span> : null}
      </span>
      {isComing ? (
        <span className={styles.pill}>{t("pay.method.coming")}</span>
      ) : (
        <ChevronRight size={20} strokeWidth={2.25} aria-hidden="true" />
      )}
    </button>
  );
}
