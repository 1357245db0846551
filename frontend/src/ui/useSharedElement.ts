import type { CSSProperties } from "react";
import { useViewTransitionState } from "react-router";

/**
 * The style of an element that moves from this page to the same element of another one, where the browser has view
 * transitions. It is named only while the two pages change places: a name must be unique on a page, and lists show many.
 * @param path the other page, or null where there is none
 */
export function useSharedElement(name: string, path: string | null): CSSProperties | undefined {
  const isMoving = useViewTransitionState(path ?? "");
  return path !== null && isMoving ? { viewTransitionName: name } : undefined;
}

/** The style of the same element on the target page, where it is the only one of its name. */
export function sharedElement(name: string): CSSProperties {
  return { viewTransitionName: name };
}
