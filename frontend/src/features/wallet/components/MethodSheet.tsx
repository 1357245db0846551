import {
  CardSim,
  ChevronRight,
  CreditCard,
  Lock,
  type LucideIcon,
  Smartphone,
  Wallet as WalletIcon,
} from "lucide-react";
import type { PaymentMethod } from "@/features/wallet/api/requests";
import type { Draft } from "@/features/wallet/draft";
import { useBalance, useMethods } from "@/features/wallet/hooks/useWallet";
import { isAirtimeRefused, isMethod, type MethodCode, nextStep, paymentKinds } from "@/features/wallet/kinds";
import { lastMethod, lastUsedFirst } from "@/features/wallet/lastMethod";
import { methodName } from "@/features/wallet/methodName";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { maskPhone } from "@/lib/phone";
import { useLastError } from "@/lib/recovery";
import { usePlayer } from "@/lib/session/useSession";
import { Dialog } from "@/ui/Dialog";
import { Failed } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import { Tile, type Tone } from "@/ui/Tile";
import styles from "./MethodSheet.module.css";

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

interface MethodSheetProps {
  readonly draft: Draft;
  readonly onChoose: (method: PaymentMethod) => void;
  readonly onClose: () => void;
}

interface WayProps {
  readonly method: PaymentMethod;
  readonly isComing: boolean;
  readonly isFirst: boolean;
  /** A short remark about the method besides its name. */
  readonly note: string | null;
  readonly onChoose: () => void;
}

/** One method: its whole row is the target. */
function Way({ method, isComing, isFirst, note, onChoose }: WayProps) {
  const { Glyph, tone } = isMethod(method.code) && !isComing ? looks[method.code] : off;
  const detail = [note, method.code === lastMethod() ? t("pay.method.last") : null];
  const look = isComing ? styles.off : isFirst ? styles.first : "";
  return (
    <li>
      <button type="button" className={`${styles.way} ${look}`} aria-disabled={isComing} onClick={onChoose}>
        <Tile tone={tone}>
          <Glyph size={22} strokeWidth={2.25} aria-hidden="true" />
        </Tile>
        <span className={styles.words}>
          <span className={styles.name}>{methodName(method)}</span>
          {isComing ? null : <span className={styles.detail}>{detail.filter(Boolean).join(" · ")}</span>}
        </span>
        {isComing ? (
          <span className={styles.pill}>{t("pay.method.coming")}</span>
        ) : (
          <ChevronRight size={20} strokeWidth={2.25} aria-hidden="true" />
        )}
      </button>
    </li>
  );
}

/** The payment methods that the server offers and that this type of payment allows, the last used one first. */
export function MethodSheet({ draft, onChoose, onClose }: MethodSheetProps) {
  const methods = useMethods();
  const error = useLastError(methods);
  const phone = usePlayer()?.phone;
  const { data: balance } = useBalance();
  const noteOf = (code: string): string | null => {
    switch (code) {
      case "MPESA":
        return phone ? maskPhone(phone) : t("pay.method.MPESA");
      case "CARD":
        return t("pay.method.card.note");
      case "WALLET":
        return balance ? t("pay.method.wallet.note", { amount: formatKes(balance.available) }) : null;
      case "SAFARICOM_CREDIT":
        return t("pay.method.airtime.note");
      default:
        return null;
    }
  };
  const offered = lastUsedFirst(
    methods.data?.filter(({ code }) => nextStep(draft.type, code) !== null) ?? [],
  );
  return (
    <Dialog shape="sheet" title={t("pay.method.title")} description={t("pay.method.text")} onClose={onClose}>
      <p className={styles.sum}>
        <span>{draft.packageName ?? t(paymentKinds[draft.type].label)}</span>
        <strong className={styles.amount}>{formatKes(draft.amount)}</strong>
      </p>
      {error && !methods.data ? (
        <Failed error={error} busy={methods.isFetching} onRetry={() => void methods.refetch()} />
      ) : !methods.data ? (
        <Skeleton height={64} radius={16} />
      ) : offered.length === 0 ? (
        <Notice title={t("ui.empty")} />
      ) : (
        <ul className={styles.ways} aria-label={t("pay.method.title")}>
          {offered.map((method, index) => (
            <Way
              key={method.id}
              method={method}
              isComing={nextStep(draft.type, method.code) === "soon"}
              isFirst={index === 0 && !isAirtimeRefused(method.code, draft.packageName)}
              note={noteOf(method.code)}
              onChoose={() => onChoose(method)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}
