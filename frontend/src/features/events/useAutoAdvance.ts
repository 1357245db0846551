import { type RefObject, useEffect, useState } from "react";
import { prefersReducedMotion, savesData } from "@/lib/device";

export const ADVANCE_MS = 5_000;

/** Whether any part of an element is on the screen, in a visible tab. */
function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const [isInView, setInView] = useState(true);
  const [isShown, setShown] = useState(() => document.visibilityState === "visible");
  useEffect(() => {
    const follow = () => setShown(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, []);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver !== "function") return;
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isInView && isShown;
}

interface AutoAdvance {
  /** The element that must be on the screen. */
  readonly element: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly shown: number;
  readonly onShow: (index: number) => void;
  /** While true nothing moves. When it ends, the slide has its full time again. */
  readonly isPaused: boolean;
}

/**
 * Shows the next slide every five seconds. Each slide has its full time from when it appeared, also by a swipe or a
 * dot. Slides never move off screen, in a hidden tab, under reduced motion, or when the player saves data.
 */
export function useAutoAdvance({ element, count, shown, onShow, isPaused }: AutoAdvance): void {
  const isOnScreen = useOnScreen(element);
  const isMoving = count > 1 && isOnScreen && !isPaused;
  useEffect(() => {
    if (!isMoving || prefersReducedMotion() || savesData()) return;
    const timer = setTimeout(() => onShow((shown + 1) % count), ADVANCE_MS);
    return () => clearTimeout(timer);
  }, [isMoving, shown, count, onShow]);
}

/** Whether slides advance at all on this phone. */
export function advances(): boolean {
  return !prefersReducedMotion() && !savesData();
}
