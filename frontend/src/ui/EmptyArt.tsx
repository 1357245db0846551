import styles from "./EmptyArt.module.css";

/** An empty Ajua board. */
export function EmptyBoard() {
  return (
    <svg className={styles.art} viewBox="0 0 148 96" width="148" height="96" aria-hidden="true">
      <ellipse cx="74" cy="86" rx="58" ry="6" className={styles.shade} />
      <rect x="8" y="22" width="132" height="56" rx="28" className={styles.wood} />
      {[36, 61, 87, 112].map((x) => (
        <g key={x}>
          <circle cx={x} cy="38" r="9" className={styles.hollow} />
          <circle cx={x} cy="62" r="9" className={styles.hollow} />
        </g>
      ))}
      <circle cx="61" cy="10" r="6" className={styles.sun} />
      <circle cx="61" cy="38" r="4" className={styles.sun} />
    </svg>
  );
}

/** An empty podium. */
export function EmptyPodium() {
  return (
    <svg className={styles.art} viewBox="0 0 148 108" width="148" height="108" aria-hidden="true">
      <ellipse cx="74" cy="98" rx="60" ry="6" className={styles.shade} />
      <path d="M20 66h36v30H20z" className={styles.clay} />
      <path d="M56 46h36v50H56z" className={styles.wood} />
      <path d="M92 74h36v22H92z" className={styles.clay} />
      <path d="M62 8h24v10a12 12 0 0 1-24 0ZM71 30h6v8h-6zM66 38h16v4H66z" className={styles.sun} />
      <path d="M62 12h-6c0 8 3 11 7 12M86 12h6c0 8-3 11-7 12" className={styles.handle} />
    </svg>
  );
}

/** Two empty chat bubbles. */
export function EmptyChat() {
  return (
    <svg className={styles.art} viewBox="0 0 148 104" width="148" height="104" aria-hidden="true">
      <path
        d="M20 10h70a12 12 0 0 1 12 12v22a12 12 0 0 1-12 12H46L28 70V56h-8A12 12 0 0 1 8 44V22a12 12 0 0 1 12-12Z"
        className={styles.clay}
      />
      <path
        d="M70 46h58a12 12 0 0 1 12 12v18a12 12 0 0 1-12 12h-8v12l-16-12H70a12 12 0 0 1-12-12V58a12 12 0 0 1 12-12Z"
        className={styles.sun}
      />
      {[82, 99, 116].map((x) => (
        <circle key={x} cx={x} cy="67" r="4" className={styles.dot} />
      ))}
    </svg>
  );
}
