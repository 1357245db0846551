import { type Ref, type TextareaHTMLAttributes, useId } from "react";
import { FieldNote } from "./TextField";
import styles from "./TextField.module.css";

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** A field of several lines. */
export function TextArea({ label, error, hint, ref, ...area }: TextAreaProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error ? "" : undefined}>
        <textarea
          {...area}
          ref={ref}
          id={id}
          className={`${styles.input} ${styles.area}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
        />
      </div>
      <FieldNote id={`${id}-note`} error={error} hint={hint} />
    </div>
  );
}
