import { confirmDevice, startDeviceConfirmation } from "@/features/auth/api/requests";
import { MailedCodeDialog } from "@/features/auth/components/MailedCodeDialog";
import { t } from "@/lib/i18n/i18n";

interface ConfirmDeviceDialogProps {
  readonly onClose: () => void;
  readonly onConfirmed: () => void;
}

/** Asks a player on a new device for a mailed code, before money leaves the wallet or data leaves PlayOn. */
export function ConfirmDeviceDialog({ onClose, onConfirmed }: ConfirmDeviceDialogProps) {
  return (
    <MailedCodeDialog
      title={t("device.title")}
      reason={t("device.text")}
      send={startDeviceConfirmation}
      confirm={confirmDevice}
      onClose={onClose}
      onConfirmed={onConfirmed}
    />
  );
}
