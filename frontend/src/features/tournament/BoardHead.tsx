import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import styles from "./Leaderboard.module.css";

interface BoardHeadProps {
  readonly title: string;
  readonly onBack: () => void;
  readonly children?: ReactNode;
}

/** The title of a board, and the marks beside it. */
export function BoardHead({ title, onBack, children }: BoardHeadProps) {
  useTitle(title);
  return (
    <div className={styles.head}>
      <button type="button" className={styles.back} aria-label={t("ui.back")} onClick={onBack}>
        <ArrowLeft aria-hidden="true" />
      </button>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
}
