import { type ComponentType, useEffect, useLayoutEffect, useRef } from "react";
import { t } from "@/lib/i18n/i18n";
import { Button } from "./Button";
import { Crash } from "./Crash";
import { type FallbackProps, type Lazy, lazyComponent } from "./Lazy";
import styles from "./LazyOverlay.module.css";
import { Skeleton } from "./Skeleton";

interface Closable {
  readonly onClose: () => void;
}

/**
 * A sheet in place of an overlay that has not loaded yet. It is drawn without the dialogs' code, which may be missing.
 */
function OverlayFallback({ error, onRetry, of: { onClose } }: FallbackProps<Closable>) {
  const sheet = useRef<HTMLDivElement>(null);
  // Returns the focus when it is removed, so that the dialog finds the element that opened it.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    sheet.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => key === "Escape" && onClose();
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, [onClose]);
  return (
    <div className={styles.overlay}>
      <button
        type="button"
        tabIndex={-1}
        className={styles.scrim}
        aria-label={t("ui.close")}
        onClick={onClose}
      />
      <div
        ref={sheet}
        role="dialog"
        aria-modal="true"
        aria-busy={error === null}
        aria-label={t(error ? "ui.failed" : "ui.loading")}
        tabIndex={-1}
        className={styles.sheet}
      >
        {error ? (
          <Crash error={error} onRetry={onRetry}>
            <Button variant="plain" onClick={onClose}>
              {t("ui.close")}
            </Button>
          </Crash>
        ) : (
          <>
            <Skeleton width="45%" height={28} />
            <Skeleton height={64} radius={16} />
            <Skeleton height={64} radius={16} />
          </>
        )}
      </div>
    </div>
  );
}

/** A sheet or dialog whose code is loaded when it is first opened. */
export function lazyOverlay<P extends Closable>(load: () => Promise<ComponentType<P>>): Lazy<P> {
  return lazyComponent<P>(load, OverlayFallback);
}
