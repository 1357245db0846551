import { useId } from "react";
import styles from "./Kiondo.module.css";

interface KiondoProps {
  readonly scale?: number;
  /** Where the pattern fades out, so that text there stands on a plain background. */
  readonly plain: "left" | "bottom" | "middle";
}

/** The woven pattern of a kiondo basket, PlayOn's signature, behind the content of a screen's one hero surface. */
export function Kiondo({ scale = 1, plain }: KiondoProps) {
  const id = useId();
  return (
    <svg className={`${styles.weave} ${styles[plain]}`} aria-hidden="true" focusable="false">
      <defs>
        <pattern
          id={id}
          width="48"
          height="64"
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(-8) scale(${scale})`}
        >
          <path d="M0 8h48M0 24h48M0 40h48M0 56h48" className={styles.thread} />
          <path d="M0 16 12 4l12 12L36 4l12 12" className={styles.zigzag} />
          <path
            d="M24 26 34 36 24 46 14 36ZM0 26l10 10L0 46ZM48 26 38 36l10 10Z"
            className={styles.diamond}
          />
          <path d="M24 32l4 4-4 4-4-4ZM0 32l4 4-4 4ZM48 32l-4 4 4 4Z" className={styles.eye} />
          <path d="M6 52h4v4H6zm12 0h4v4h-4zm12 0h4v4h-4zm12 0h4v4h-4z" className={styles.diamond} />
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}
