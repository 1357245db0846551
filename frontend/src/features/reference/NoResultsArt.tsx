import styles from "./Reference.module.css";

/** A globe with a magnifying glass. */
export function NoResultsArt() {
  return (
    <svg className={styles.globe} viewBox="0 0 140 120" width="168" height="144" aria-hidden="true">
      <circle cx="64" cy="54" r="42" />
      <path d="M22 54h84M64 12c-26 26-26 58 0 84M64 12c26 26 26 58 0 84" />
      <path className={styles.lens} d="m98 86 26 24" />
      <circle className={styles.lens} cx="82" cy="70" r="22" />
    </svg>
  );
}
