import { useCallback, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

/** Opens a page as a browser does, with nothing left in memory of the one before. */
export function leaveFor(path: string): void {
  window.location.assign(path);
}

/** Whether the app has nothing behind the page that is shown: a step back would leave it, or do nothing at all. */
export function isFirstStep(): boolean {
  return (window.history.state as { idx?: number } | null)?.idx === 0;
}

/** Goes back one step; to the fallback when this page is where the visit began. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return useCallback(() => {
    // The first step may have been replaced since, by the login and the page it led to; its key then tells nothing.
    if (key === "default" || isFirstStep()) navigate(fallback, { replace: true, viewTransition: true });
    else navigate(-1);
  }, [key, fallback, navigate]);
}

/**
 * Leads to a page: by a step back where the navigation state names it as the step before, so that the history holds it
 * once and its own back does not lead to it again; else in the place of this page.
 */
export function useReturn(path: string): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const isBefore = (state as { before?: unknown } | null)?.before === path;
  return useCallback(() => {
    if (isBefore && !isFirstStep()) void navigate(-1);
    else void navigate(path, { replace: true, viewTransition: true });
  }, [navigate, path, isBefore]);
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
 * navigation state stays as it was. One step is open at most: what is opened meanwhile replaces it.
 */
export function useOverlay(): Overlay {
  const navigate = useNavigate();
  const { state, search, key } = useLocation();
  const current = overlayOf(state);
  const left = useRef<string>(undefined);
  useEffect(() => {
    // The forward gesture may open it again.
    if (left.current !== key) left.current = undefined;
  }, [key]);
  const show = useCallback(
    (name: string) => {
      const kept = typeof state === "object" && state !== null ? state : {};
      // Its part of the app may still be loading: who taps again must not have to close it twice.
      const replace = current !== undefined;
      navigate({ search }, { state: { ...kept, overlay: name }, replace, preventScrollReset: true });
    },
    [navigate, state, search, current],
  );
  const hide = useCallback(() => {
    // Escape and a press outside can both report the same closing, and back takes a moment: one step is enough.
    if (current === undefined || left.current === key) return;
    left.current = key;
    navigate(-1);
  }, [navigate, current, key]);
  return { current, show, hide };
}
