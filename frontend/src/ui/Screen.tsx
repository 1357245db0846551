import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { t } from "@/lib/i18n/i18n";
import { followKeyboard } from "@/lib/keyboard";
import { useGoBack } from "@/lib/navigation";
import { useTitle } from "@/lib/title";
import { IconButton } from "./Button";
import styles from "./Screen.module.css";

interface ScreenProps {
  readonly title: string;
  /**
   * The back arrow's fallback path, for a page that is the app's first history entry; or a function that goes back in
   * another way. Without either there is no arrow.
   */
  readonly back?: string | (() => void);
  readonly action?: ReactNode;
  /** The primary action, fixed at the bottom within thumb reach. */
  readonly footer?: ReactNode;
  /** Whether there is room for two columns of cards, beside the open side menu. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A screen with its own header (arrow, title) and an action at the bottom. */
export function Screen({ title, back, action, footer, wide = false, children }: ScreenProps) {
  useTitle(title);
  return (
    <div className={`${styles.screen} ${wide ? styles.wide : ""}`}>
      <header className={styles.header}>
        {typeof back === "string" ? <BackArrow fallback={back} /> : back ? <Arrow onClick={back} /> : null}
        <h1 className={styles.title}>{title}</h1>
        {action}
      </header>
      <main className={styles.main}>
        <div className={styles.content}>{children}</div>
        {footer ? <Footer>{footer}</Footer> : null}
      </main>
    </div>
  );
}

/** The primary action, which stays above the keyboard. */
function Footer({ children }: { readonly children: ReactNode }) {
  const footer = useRef<HTMLDivElement>(null);
  useEffect(
    () => followKeyboard((covered) => footer.current?.style.setProperty("--keyboard", `${covered}px`)),
    [],
  );
  return (
    <div ref={footer} className={styles.footer}>
      {children}
    </div>
  );
}

function Arrow({ onClick }: { readonly onClick: () => void }) {
  return (
    <IconButton label={t("ui.back")} onClick={onClick}>
      <ArrowLeft />
    </IconButton>
  );
}

/** A back arrow that always opens the same page. */
export function BackTo({ path }: { readonly path: string }) {
  const navigate = useNavigate();
  return <Arrow onClick={() => void navigate(path, { viewTransition: true })} />;
}

/** A back arrow that goes back one history step. */
function BackArrow({ fallback }: { readonly fallback: string }) {
  return <Arrow onClick={useGoBack(fallback)} />;
}
