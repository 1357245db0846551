import type { ButtonHTMLAttributes, ReactNode } from "react";
import styles from "./Button.module.css";
import { Link, type LinkProps } from "./Link";

type Variant = "primary" | "quiet" | "world" | "paper" | "danger" | "hero" | "veil" | "plain";

interface ButtonStyle {
  /** `primary` for the one main action of a screen; `world` inside a game's world, `paper` on art. */
  readonly variant?: Variant;
  /** As wide as its container: for the one primary action of a screen. */
  readonly wide?: boolean;
  readonly icon?: ReactNode;
}

function classNameOf(variant: Variant, wide: boolean): string {
  return [styles.button, styles[variant], wide ? styles.wide : ""].filter(Boolean).join(" ");
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonStyle {
  /** Work is in progress: the label stays and presses are ignored. */
  readonly busy?: boolean;
  /** Called for presses that `busy` ignores, for buttons that must explain why. */
  readonly onBusyPress?: () => void;
}

export function Button({
  variant = "primary",
  wide = false,
  icon,
  busy = false,
  onBusyPress,
  type = "button",
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classNameOf(variant, wide)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={(event) => {
        // aria-disabled instead of disabled, which would lose the focus while the work runs.
        if (busy) {
          event.preventDefault();
          onBusyPress?.();
        } else onClick?.(event);
      }}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

export function ButtonLink({
  variant = "primary",
  wide = false,
  icon,
  children,
  ...rest
}: LinkProps & ButtonStyle) {
  return (
    <Link {...rest} className={classNameOf(variant, wide)}>
      {icon}
      {children}
    </Link>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The button's accessible name. */
  readonly label: string;
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} aria-label={label} className={styles.iconButton}>
      {children}
    </button>
  );
}
