import { useEffect, useId, useRef, useState } from "react";
import { CodeForm } from "@/features/auth/components/CodeForm";
import type { PayoutPhone } from "@/features/wallet/api/payoutPhones";
import type { PayoutCode } from "@/features/wallet/hooks/usePayoutCode";
import { isResting, openingOf } from "@/features/wallet/payoutPhones";
import { serverNow } from "@/lib/clock";
import { t } from "@/lib/i18n/i18n";
import { formatPhone } from "@/lib/phone";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { FieldNote } from "@/ui/TextField";
import styles from "./ProvePayoutPhoneDialog.module.css";

interface ProvePayoutPhoneDialogProps {
  /** What became of the player's money when the phone rests first. */
  readonly outcome?: string;
  readonly code: PayoutCode;
  readonly onClose: () => void;
  /** Called once the phone is proven and open. For a phone that rests first, the dialog says until when. */
  readonly onConfirmed: () => void;
}

/** Asks for the code that was sent to a phone by SMS, before money can be withdrawn to that phone. */
export function ProvePayoutPhoneDialog({ code, outcome, onClose, onConfirmed }: ProvePayoutPhoneDialogProps) {
  const id = useId();
  const [resting, setResting] = useState<PayoutPhone | null>(null);
  // Set by a player whose phone got a code although the reply was lost.
  const [hasCode, setHasCode] = useState(false);
  const phone = formatPhone(code.phone);
  if (resting)
    return (
      <Dialog title={t("payout.proven")} onClose={onClose}>
        <Resting phone={resting} outcome={outcome} onOkay={onClose} />
      </Dialog>
    );
  return (
    <Dialog
      title={t("payout.title")}
      description={t(code.sent ? "payout.sent" : "payout.reason", { phone })}
      onClose={onClose}
    >
      {code.sent || hasCode ? (
        <CodeForm
          sentBy="sms"
          resendAt={code.sent?.resendAt ?? 0}
          isSending={code.isSending}
          confirm={code.confirm}
          onResend={code.resend}
          onConfirmed={(proven) => (isResting(proven, serverNow()) ? setResting(proven) : onConfirmed())}
        />
      ) : (
        <>
          <FieldNote id={id} error={code.error ? messageOf(code.error) : undefined} />
          <Button wide busy={code.isSending} onClick={code.ask}>
            {t("payout.send")}
          </Button>
          {code.error && (
            <Button variant="plain" onClick={() => setHasCode(true)}>
              {t("payout.haveCode")}
            </Button>
          )}
        </>
      )}
    </Dialog>
  );
}

interface RestingProps {
  readonly phone: PayoutPhone;
  readonly outcome: string | undefined;
  readonly onOkay: () => void;
}

/** Says when a phone opens. The button has the focus, so that screen readers read the sentence with it. */
function Resting({ phone, outcome, onOkay }: RestingProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("button")?.focus(), []);
  return (
    <div ref={box} className={styles.resting}>
      <p id={id}>
        {t("payout.rests", { phone: formatPhone(phone.phone), ...openingOf(phone) })} {outcome}
      </p>
      <Button wide aria-describedby={id} onClick={onOkay}>
        {t("payout.ok")}
      </Button>
    </div>
  );
}
