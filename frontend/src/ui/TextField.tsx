import { CircleAlert } from "lucide-react";
import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { useId } from "react";
import styles from "./TextField.module.css";

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly trailing?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, error, hint, trailing, ref, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error ? "" : undefined}>
        <input
          {...input}
          ref={ref}
          id={id}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
        />
        {trailing}
      </div>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}

interface FieldNoteProps {
  readonly id: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
}

/** The line under a field: its error, or else its hint. */
export function FieldNote({ id, error, hint }: FieldNoteProps) {
  if (!error && !hint) return null;
  return (
    <p id={id} className={error ? styles.error : styles.hint} role={error ? "alert" : undefined}>
      {error ? <CircleAlert size={16} strokeWidth={2} aria-hidden="true" /> : null}
      {error ?? hint}
    </p>
  );
}
