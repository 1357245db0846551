import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { t } from "@/lib/i18n/i18n";
import { useGoBack } from "@/lib/navigation";
import { useTitle } from "@/lib/title";
import { IconButton } from "./Button";
import styles from "./Screen.module.css";

interface ScreenProps {
  readonly title: string;
  /** Where the back arrow leads when this page is where the visit began; without it there is no arrow. */
  readonly back?: string;
  readonly action?: ReactNode;
  /** The primary action, kept in thumb reach at the bottom. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** A screen with a header of its own: arrow, title, content, and an action at the bottom. */
export function Screen({ title, back, action, footer, children }: ScreenProps) {
  useTitle(title);
  return (
    <div className={styles.screen}>
      <header className={styles.header}>
        {back === undefined ? null : <BackArrow fallback={back} />}
        <h1 className={styles.title}>{title}</h1>
        {action}
      </header>
      <main className={styles.main}>{children}</main>
      {footer ? <div className={styles.footer}>{footer}</div> : null}
    </div>
  );
}

/** An arrow that always leads to the same place, whatever came before. */
export function BackTo({ path }: { readonly path: string }) {
  const navigate = useNavigate();
  return (
    <IconButton label={t("ui.back")} onClick={() => void navigate(path, { viewTransition: true })}>
      <ArrowLeft strokeWidth={1.75} />
    </IconButton>
  );
}

/** One step back. */
function BackArrow({ fallback }: { readonly fallback: string }) {
  const goBack = useGoBack(fallback);
  return (
    <IconButton label={t("ui.back")} onClick={goBack}>
      <ArrowLeft strokeWidth={1.75} />
    </IconButton>
  );
}
