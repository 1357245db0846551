import styles from "./EmptyWalletArt.module.css";

/** An open purse and a coin. */
export function EmptyWalletArt() {
  return (
    <svg className={styles.purse} width="132" height="108" viewBox="0 0 132 108" aria-hidden="true">
      <ellipse cx="66" cy="98" rx="50" ry="6" className={styles.shade} />
      <path d="M20 46h92l-6 40a12 12 0 0 1-12 10H38a12 12 0 0 1-12-10Z" className={styles.bag} />
      <path d="M24 62l10-10 10 10 10-10 10 10 10-10 10 10 10-10 10 10" className={styles.weave} />
      <path d="M26 76l10-10 10 10 10-10 10 10 10-10 10 10 10-10 8 8" className={styles.weave} />
      <path d="M16 40h100v10H16z" className={styles.rim} />
      <circle cx="66" cy="19" r="15" className={styles.coin} />
      <path
        d="M62 12.5c-1-.6-2 0-2 1.2v10.6c0 1.2 1 1.8 2 1.2l9-5.3c1-.6 1-1.8 0-2.4Z"
        className={styles.play}
      />
    </svg>
  );
}
