import { useEffect, useEffectEvent, useId } from "react";
import { ProvePayoutPhoneDialog } from "@/app/dialogs/ProvePayoutPhoneDialog";
import { PhoneForm } from "@/features/wallet/components/PhoneForm";
import { usePayoutCode } from "@/features/wallet/hooks/usePayoutCode";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";

interface AddPhoneDialogProps {
  readonly uid: string;
  /** The number to begin with. */
  readonly initial: string;
  /** The number that gets a code; null until the player has entered one. */
  readonly phone: string | null;
  readonly onPhone: (phone: string) => void;
  /** Called when the player has to confirm this device before. */
  readonly onDevice: () => void;
  readonly onClose: () => void;
}

/** Takes the number of a phone, and then the code that was sent to it. */
export function AddPhoneDialog({ uid, initial, phone, onPhone, onDevice, onClose }: AddPhoneDialogProps) {
  const formId = useId();
  const textId = useId();
  if (phone !== null) return <CodeDialog uid={uid} phone={phone} onDevice={onDevice} onClose={onClose} />;
  return (
    <Dialog title={t("payout.add")} onClose={onClose}>
      <p id={textId}>{t("payout.add.text")}</p>
      <PhoneForm
        id={formId}
        labelledBy={textId}
        phone={initial}
        hint={t("payout.add.hint")}
        onTyped={() => undefined}
        onPay={onPhone}
      />
      <Button wide type="submit" form={formId}>
        {t("payout.send")}
      </Button>
    </Dialog>
  );
}

interface CodeDialogProps {
  readonly uid: string;
  readonly phone: string;
  readonly onDevice: () => void;
  readonly onClose: () => void;
}

function CodeDialog({ uid, phone, onDevice, onClose }: CodeDialogProps) {
  const code = usePayoutCode(uid, phone);
  const ask = useEffectEvent(code.ask);
  useEffect(() => ask(), []);
  const isDeviceAsked = code.error instanceof Fault && code.error.code === "DEVICE_NOT_CONFIRMED";
  const askForDevice = useEffectEvent(onDevice);
  useEffect(() => {
    if (isDeviceAsked) askForDevice();
  }, [isDeviceAsked]);
  return <ProvePayoutPhoneDialog code={code} onClose={onClose} onConfirmed={onClose} />;
}
