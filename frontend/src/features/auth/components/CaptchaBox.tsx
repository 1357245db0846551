import { Check, RotateCw } from "lucide-react";
import { useEffect } from "react";
import type { Captcha, CaptchaState } from "@/features/auth/hooks/useCaptcha";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import styles from "./CaptchaBox.module.css";

function textOf(state: CaptchaState): string {
  switch (state) {
    case "idle":
      return t("auth.captcha.hint");
    case "solving":
      return t("auth.checking");
    case "solved":
      return t("auth.captcha.solved");
    case "expired":
      return t("auth.captcha.expired");
  }
}

/** The visible captcha: a checkbox, its progress, and a button to solve it again. */
export function CaptchaBox({ captcha }: { readonly captcha: Captcha }) {
  const { state, solve } = captcha;
  const isExpired = state === "expired";
  useEffect(() => {
    if (isExpired) toast.error(t("auth.captcha.expired"));
  }, [isExpired]);
  return (
    <fieldset className={styles.captcha} data-state={state}>
      <legend className={styles.legend}>{t("auth.captcha.title")}</legend>
      {isExpired ? (
        <Button
          variant="quiet"
          icon={<RotateCw size={18} strokeWidth={2} aria-hidden="true" />}
          onClick={solve}
        >
          {t("auth.captcha.again")}
        </Button>
      ) : (
        <label className={styles.line}>
          <input
            type="checkbox"
            className={styles.input}
            checked={state === "solved"}
            aria-busy={state === "solving" || undefined}
            onChange={solve}
          />
          <span className={styles.box} aria-hidden="true">
            {state === "solved" ? <Check size={20} strokeWidth={3} /> : null}
          </span>
          {t("auth.captcha.idle")}
        </label>
      )}
      <p className={styles.text} role="status">
        {textOf(state)}
      </p>
    </fieldset>
  );
}
