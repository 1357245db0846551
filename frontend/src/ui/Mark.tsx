import styles from "./Mark.module.css";

/** The logo: a round "o" with a play triangle. public/mark.svg and the icons use the same two shapes. */
export function Mark({ size = 40 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path
        className={styles.ring}
        fillRule="evenodd"
        d="M32 4a28 28 0 1 1 0 56 28 28 0 0 1 0-56Zm-6.6 15.3c-1.9-1.1-4.4.3-4.4 2.6v20.2c0 2.3 2.5 3.7 4.4 2.6l17.9-10.1c2-1.2 2-4.1 0-5.2Z"
      />
    </svg>
  );
}

/** "PlayOn" with the logo as its "O". */
export function Wordmark({ size = 44 }: { readonly size?: number }) {
  return (
    <span className={styles.word} style={{ fontSize: size }} role="img" aria-label="PlayOn">
      <span aria-hidden="true">Play</span>
      <Mark size={size * 0.76} />
      <span aria-hidden="true">n</span>
    </span>
  );
}
