import { Mark } from "./Mark";
import styles from "./Splash.module.css";

/** The logo, shown while the first screen loads. */
export function Splash() {
  return (
    <div className={styles.splash}>
      <Mark size={88} />
    </div>
  );
}
