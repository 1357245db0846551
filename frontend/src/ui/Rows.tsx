import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "./Link";
import styles from "./Rows.module.css";

export function Rows({ children, label }: { readonly children: ReactNode; readonly label?: string }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  /** A `Tile`. */
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly trailing?: ReactNode;
}

function RowContent({ icon, title, detail, trailing }: RowProps) {
  return (
    <>
      {icon}
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {detail ? <span className={styles.detail}>{detail}</span> : null}
      </span>
      {trailing}
    </>
  );
}

const chevron = <ChevronRight className={styles.chevron} size={20} aria-hidden="true" />;

export function RowButton({
  onClick,
  trailing = chevron,
  ...row
}: RowProps & { readonly onClick: () => void }) {
  return (
    <li>
      <button type="button" className={styles.row} onClick={onClick}>
        <RowContent {...row} trailing={trailing} />
      </button>
    </li>
  );
}

interface RowDetailsProps extends RowProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** The content that a press shows below the row. */
  readonly children: ReactNode;
}

/** A row that opens in place. */
export function RowDetails({ isOpen, onToggle, children, ...row }: RowDetailsProps) {
  const id = useId();
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
      >
        <RowContent {...row} />
      </button>
      {isOpen ? (
        <div id={id} className={styles.below}>
          {children}
        </div>
      ) : null}
    </li>
  );
}

/** A row without a link: its control stands at its end. */
export function Row(row: RowProps) {
  return (
    <li>
      <div className={styles.row}>
        <RowContent {...row} />
      </div>
    </li>
  );
}

interface RowLinkProps extends RowProps {
  readonly to: string;
  readonly replace?: boolean;
  readonly state?: unknown;
  /** A button beside the link. */
  readonly action?: ReactNode;
}

export function RowLink({ to, replace = false, state, action, trailing = chevron, ...row }: RowLinkProps) {
  return (
    <li className={action ? styles.acting : undefined}>
      <Link to={to} replace={replace} state={state} className={styles.row}>
        <RowContent {...row} trailing={trailing} />
      </Link>
      {action}
    </li>
  );
}
