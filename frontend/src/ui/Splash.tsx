import { Mark } from "./Mark";
import styles from "./Splash.module.css";

/** The mark, while the first screen is on its way. */
export function Splash() {
  return (
    <div className={styles.splash}>
      <Mark size={88} />
    </div>
  );
}
