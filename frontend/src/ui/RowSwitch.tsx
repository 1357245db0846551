import { type ReactNode, useId } from "react";
import styles from "./RowSwitch.module.css";
import { Row } from "./Rows";

interface RowSwitchProps {
  /** A `Tile`. */
  readonly icon?: ReactNode;
  readonly title: string;
  readonly detail?: ReactNode;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A row with a switch at its end; a press on the title switches it too. */
export function RowSwitch({ icon, title, detail, isOn, disabled = false, onChange }: RowSwitchProps) {
  const id = useId();
  return (
    <Row
      icon={icon}
      title={<label htmlFor={id}>{title}</label>}
      detail={detail}
      trailing={
        <input
          id={id}
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          className={styles.switch}
          checked={isOn}
          disabled={disabled}
          onChange={({ target }) => onChange(target.checked)}
        />
      }
    />
  );
}
