import { useProviders } from "@/features/auth/hooks/useProviders";
import { useLastError } from "@/lib/recovery";
import { messageOf } from "@/lib/toast";
import styles from "./SignInOutage.module.css";

/** Says that sign-in is not available, while that is so. The forms below keep what was typed. */
export function SignInOutage() {
  const error = useLastError(useProviders());
  return <div role="status">{error ? <p className={styles.outage}>{messageOf(error)}</p> : null}</div>;
}
