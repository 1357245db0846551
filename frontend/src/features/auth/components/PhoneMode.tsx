import { CodeEntry } from "@/features/auth/components/CodeEntry";
import { PhoneEntry } from "@/features/auth/components/PhoneEntry";
import type { OnSignedIn } from "@/features/auth/hooks/useCompleteSignIn";
import type { CodeStep, PhoneStep } from "@/features/auth/hooks/usePhoneSteps";
import { t } from "@/lib/i18n/i18n";
import { formatPhone } from "@/lib/phone";
import { Button } from "@/ui/Button";
import styles from "./Phone.module.css";

interface PhoneModeProps {
  readonly step: PhoneStep;
  readonly onPhone: (phone: string) => void;
  readonly onCode: (sent: Omit<CodeStep, "at">) => void;
  readonly onOff: () => void;
  readonly onSignedIn: OnSignedIn;
}

/** Signing in by phone: the number, then the code that was sent to it, and a link back to the email form. */
export function PhoneMode({ step, onPhone, onCode, onOff, onSignedIn }: PhoneModeProps) {
  return (
    <>
      {step.at === "phone" ? (
        <PhoneEntry phone={step.phone} onSent={onCode} />
      ) : (
        <>
          <p className={styles.sentTo}>
            {t("auth.code.line", { phone: formatPhone(step.phone) })}
            <Button variant="plain" onClick={() => onPhone(step.phone)}>
              {t("auth.code.change")}
            </Button>
          </p>
          {/* The key resets the entry for each new code. */}
          <CodeEntry key={step.challengeId} sent={step} onResent={onCode} onSignedIn={onSignedIn} />
        </>
      )}
      <Button variant="plain" onClick={onOff}>
        {t("auth.phone.toEmail")}
      </Button>
    </>
  );
}
