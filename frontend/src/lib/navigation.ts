import { useCallback, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

/** Loads a page in full, so that no state of the current one stays in memory. */
export function hardNavigate(path: string): void {
  window.location.assign(path);
}

/** Loads a page of another company in this page's place in the history. */
export function leaveApp(url: string): void {
  window.location.replace(url);
}

/** Whether this is the app's first history entry: a step back would leave the app or do nothing. */
export function isFirstEntry(): boolean {
  return (window.history.state as { idx?: number } | null)?.idx === 0;
}

/** Goes back one step, or to the fallback when this page is the app's first history entry. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return useCallback(() => {
    // The login and the page after it replace the first entry, whose key then is no longer "default".
    if (key === "default" || isFirstEntry()) navigate(fallback, { replace: true, viewTransition: true });
    else navigate(-1);
  }, [key, fallback, navigate]);
}

/**
 * Opens a page: by a step back when the navigation state names it as the previous entry, so that the history holds it
 * only once; otherwise by replacing the current entry.
 */
export function useReturn(path: string): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const isPrevious = (state as { previousPath?: unknown } | null)?.previousPath === path;
  return useCallback(() => {
    if (isPrevious && !isFirstEntry()) void navigate(-1);
    else void navigate(path, { replace: true, viewTransition: true });
  }, [navigate, path, isPrevious]);
}

interface OverlayState {
  readonly overlay?: string;
}

function overlayOf(state: unknown): string | undefined {
  return typeof state === "object" && state !== null ? (state as OverlayState).overlay : undefined;
}

export interface Overlay {
  /** The name of the open sheet or dialog, if any. */
  readonly current: string | undefined;
  show(name: string): void;
  hide(): void;
}

/**
 * Sheets and dialogs as history entries, so that the phone's back gesture closes them. The rest of the navigation state
 * is kept. At most one is open: showing another one replaces it.
 */
export function useOverlay(): Overlay {
  const navigate = useNavigate();
  const { state, search, key } = useLocation();
  const current = overlayOf(state);
  const closed = useRef<string>(undefined);
  useEffect(() => {
    // The forward gesture can reopen the same entry.
    if (closed.current !== key) closed.current = undefined;
  }, [key]);
  const show = useCallback(
    (name: string) => {
      const rest = typeof state === "object" && state !== null ? state : {};
      // While the overlay's code is loading, a second tap must not push a second entry.
      const replace = current !== undefined;
      navigate({ search }, { state: { ...rest, overlay: name }, replace, preventScrollReset: true });
    },
    [navigate, state, search, current],
  );
  const hide = useCallback(() => {
    // Escape and a press outside can both report the same closing before the step back has happened.
    if (current === undefined || closed.current === key) return;
    closed.current = key;
    navigate(-1);
  }, [navigate, current, key]);
  return { current, show, hide };
}
