import { type Ref, useId } from "react";
import { CODE_LENGTH } from "@/features/auth/model";
import { t } from "@/lib/i18n/i18n";
import { FieldNote } from "@/ui/TextField";
import styles from "./CodeField.module.css";

interface CodeFieldProps {
  readonly code: string;
  /** How many digits the code has. */
  readonly length: number;
  /** Called with digits only, at most `length` of them. */
  readonly onCode: (code: string) => void;
  readonly error?: string | undefined;
  readonly readOnly: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * One input, drawn as single digits. A single input works with the keyboard's SMS suggestion, with a paste and with screen
 * readers. It has no maxLength, which would cut off a code that is pasted with spaces.
 */
export function CodeField({ code, length, onCode, error, readOnly, ref }: CodeFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {t("auth.code.label")}
      </label>
      <div
        className={styles.digits}
        data-invalid={error ? "" : undefined}
        data-long={length > CODE_LENGTH ? "" : undefined}
      >
        <input
          ref={ref}
          id={id}
          name="code"
          className={styles.input}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          readOnly={readOnly}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={({ target }) => onCode(target.value.replace(/\D/g, "").slice(0, length))}
        />
        {[...Array(length).keys()].map((digit) => (
          <span
            key={digit}
            className={styles.digit}
            data-next={digit === Math.min(code.length, length - 1) ? "" : undefined}
            aria-hidden="true"
          >
            {code[digit]}
          </span>
        ))}
      </div>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  );
}
