import type { PaymentMethod } from "@/features/wallet/api/requests";
import type { Draft } from "@/features/wallet/draft";
import { useBalance, useMethods } from "@/features/wallet/hooks/useWallet";
import { isAirtimeRefused, nextStep, paymentKinds } from "@/features/wallet/kinds";
import { lastMethod, lastUsedFirst } from "@/features/wallet/lastMethod";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { maskPhone } from "@/lib/phone";
import { useLastError } from "@/lib/recovery";
import { usePlayer } from "@/lib/session/useSession";
import { Dialog } from "@/ui/Dialog";
import { Failed } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import { MethodButton } from "./MethodButton";
import styles from "./MethodSheet.module.css";

interface MethodSheetProps {
  readonly draft: Draft;
  readonly onChoose: (method: PaymentMethod) => void;
  readonly onClose: () => void;
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
  const last = lastMethod();
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
          {offered.map((method, index) => {
            const { code } = method;
            const isFirst = index === 0 && !isAirtimeRefused(code, draft.packageName);
            const detail = [noteOf(code), code === last ? t("pay.method.last") : null];
            return (
              <li key={method.id}>
                <MethodButton
                  method={method}
                  isFirst={isFirst}
                  isComing={nextStep(draft.type, code) === "soon"}
                  detail={detail.filter(Boolean).join(" · ")}
                  onClick={() => onChoose(method)}
                />
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}
