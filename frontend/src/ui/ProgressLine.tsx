import { useNavigation } from "react-router";
import { t } from "@/lib/i18n/i18n";
import styles from "./ProgressLine.module.css";

/** A line at the top of the page while the next screen loads, as the answer to a tap. */
export function ProgressLine() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return <div role="progressbar" aria-label={t("ui.loading")} className={styles.line} />;
}
