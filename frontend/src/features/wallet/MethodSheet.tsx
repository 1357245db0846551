import { CreditCard, Smartphone } from "lucide-react";
import type { PaymentMethod } from "@/features/wallet/api";
import { nextStep, type PaymentType } from "@/features/wallet/kinds";
import { useMethods } from "@/features/wallet/useWallet";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Dialog } from "@/ui/Dialog";
import { Failed } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { RowButton, Rows } from "@/ui/Rows";
import { Skeleton } from "@/ui/Skeleton";

interface MethodSheetProps {
  readonly type: PaymentType;
  readonly onChoose: (method: PaymentMethod) => void;
  readonly onClose: () => void;
}

/** The payment methods that the server offers and that this type of payment allows. */
export function MethodSheet({ type, onChoose, onClose }: MethodSheetProps) {
  const methods = useMethods();
  const error = useLastError(methods);
  const offered = methods.data?.filter(({ code }) => nextStep(type, code) !== null) ?? [];
  return (
    <Dialog shape="sheet" title={t("pay.method.title")} description={t("pay.method.text")} onClose={onClose}>
      {error && !methods.data ? (
        <Failed error={error} busy={methods.isFetching} onRetry={() => void methods.refetch()} />
      ) : !methods.data ? (
        <Skeleton height={64} radius={20} />
      ) : offered.length === 0 ? (
        <Notice title={t("ui.empty")} />
      ) : (
        <Rows label={t("pay.method.title")}>
          {offered.map((method) => (
            <RowButton
              key={method.id}
              icon={
                method.code === "MPESA" ? (
                  <Smartphone size={20} strokeWidth={1.75} aria-hidden="true" />
                ) : (
                  <CreditCard size={20} strokeWidth={1.75} aria-hidden="true" />
                )
              }
              title={method.name}
              detail={method.code === "MPESA" ? t("pay.method.MPESA") : undefined}
              onClick={() => onChoose(method)}
            />
          ))}
        </Rows>
      )}
    </Dialog>
  );
}
