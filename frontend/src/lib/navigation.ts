import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";

/** Opens a page as a browser does, with nothing left in memory of the one before. */
export function leaveFor(path: string): void {
  window.location.assign(path);
}

/** Goes back one step; to the fallback when this page is where the visit began. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return useCallback(() => {
    if (key === "default") navigate(fallback, { replace: true, viewTransition: true });
    else navigate(-1);
  }, [key, fallback, navigate]);
}

interface OverlayState {
  readonly overlay?: string;
}

function overlayOf(state: unknown): string | undefined {
  return typeof state === "object" && state !== null ? (state as OverlayState).overlay : undefined;
}

export interface Overlay {
  /** The name of the sheet or dialog that is open, if any. */
  readonly current: string | undefined;
  show(name: string): void;
  hide(): void;
}

/**
 * Sheets and dialogs as steps of the history, so that the phone's back gesture closes them. The rest of the
 * navigation state stays as it was. What is opened from inside must replace this step.
 */
export function useOverlay(): Overlay {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const current = overlayOf(state);
  const show = useCallback(
    (name: string) => {
      const kept = typeof state === "object" && state !== null ? state : {};
      navigate({ search }, { state: { ...kept, overlay: name }, preventScrollReset: true });
    },
    [navigate, state, search],
  );
  const hide = useCallback(() => {
    // Escape and a press outside can both report the same closing; only the first may step back.
    if (current !== undefined) navigate(-1);
  }, [navigate, current]);
  return { current, show, hide };
}
