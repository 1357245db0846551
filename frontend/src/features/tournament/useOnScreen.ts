import { useEffect, useState } from "react";

/** Whether an element can be seen above a bar of this height in px. False without the element. */
export function useOnScreen(element: HTMLElement | null, barHeight: number): boolean {
  const [seen, setSeen] = useState<Element | null>(null);
  useEffect(() => {
    if (!element || typeof IntersectionObserver !== "function") return;
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.at(-1)?.isIntersecting ? element : null),
      { rootMargin: `0px 0px -${barHeight}px`, threshold: 0.5 },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, barHeight]);
  return element !== null && seen === element;
}
