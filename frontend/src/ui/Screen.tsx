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
  /**
   * Where the back arrow leads when this page is where the visit began, or the step it takes where a step of the
   * history is not the one before; without it there is no arrow.
   */
  readonly back?: string | (() => void);
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
        {typeof back === "string" ? <BackArrow fallback={back} /> : back ? <Arrow onClick={back} /> : null}
        <h1 className={styles.title}>{title}</h1>
        {action}
      </header>
      <main className={styles.main}>{children}</main>
      {footer ? <div className={styles.footer}>{footer}</div> : null}
    </div>
  );
}

function Arrow({ onClick }: { readonly onClick: () => void }) {
  return (
    <IconButton label={t("ui.back")} onClick={onClick}>
      <ArrowLeft strokeWidth={1.75} />
    </IconButton>
  );
}

/** An arrow that always leads to the same place, whatever came before. */
export function BackTo({ path }: { readonly path: string }) {
  const navigate = useNavigate();
  return <Arrow onClick={() => void navigate(path, { viewTransition: true })} />;
}

/** One step back. */
function BackArrow({ fallback }: { readonly fallback: string }) {
  return <Arrow onClick={useGoBack(fallback)} />;
}
