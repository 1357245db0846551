import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { waitingPath } from "@/app/links";
import { paths } from "@/app/paths";
import { type Draft, isPaid, parseDraft } from "@/features/wallet/draft";
import { usePay } from "@/features/wallet/hooks/usePay";
import { isAirtimeRefused, nextStep } from "@/features/wallet/kinds";
import { formatCount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { maskPhone } from "@/lib/phone";
import { usePlayer } from "@/lib/session/useSession";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Screen } from "@/ui/Screen";
import { Stage } from "@/ui/Stage";
import styles from "./pay.module.css";

interface AirtimeProps {
  readonly draft: Draft;
  readonly paymentMethodId: string;
  readonly uid: string;
  /** The profile's number, which is charged: the call has none. */
  readonly phone: string | null;
}

function Airtime({ draft, paymentMethodId, uid, phone }: AirtimeProps) {
  const navigate = useNavigate();
  const goBack = useGoBack(paths.subscriptions);
  const { pay, isPending, unsettled } = usePay({
    draft,
    paymentMethodId,
    uid,
    onAccepted: async ({ paymentId, status }, paid) =>
      navigate(status === "COMPLETED" ? paths.thankYou : waitingPath(paymentId), {
        replace: true,
        state: paid,
        viewTransition: true,
      }),
  });
  return (
    <Screen
      title={t("airtime.title")}
      back={goBack}
      footer={
        <>
          <p className={styles.safe} role="status">
            {phone ? `${t("airtime.phone", { phone: maskPhone(phone) })} ` : null}
            {unsettled ? messageOf(unsettled) : t("pay.confirm.safe")}
          </p>
          <Button wide busy={isPending} onClick={() => pay(null)}>
            {t("airtime.go")}
          </Button>
        </>
      }
    >
      <Stage
        pose="wave"
        world="ajua"
        title={t("airtime.name")}
        text={t("airtime.text", { amount: formatCount(draft.amount) })}
      />
    </Screen>
  );
}

/** A package paid by Safaricom airtime. Goes back without a type, an amount, or a package that airtime pays for. */
export function Component() {
  const { state } = useLocation();
  const player = usePlayer();
  const goBack = useGoBack(paths.subscriptions);
  const draft = parseDraft(state);
  const [wasPaid] = useState(() => draft !== null && isPaid(draft));
  const method = draft?.paymentMethod ?? "";
  const isOffered = draft !== null && nextStep(draft.type, method) === "airtime";
  const methodId =
    isOffered && !wasPaid && !isAirtimeRefused(method, draft.packageName) ? draft.paymentMethodId : undefined;
  useEffect(() => {
    if (!methodId) goBack();
  }, [methodId, goBack]);
  if (!draft || !methodId || !player) return null;
  return <Airtime draft={draft} paymentMethodId={methodId} uid={player.uid} phone={player.phone} />;
}
