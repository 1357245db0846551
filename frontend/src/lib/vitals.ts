import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from "web-vitals";
import type { WebVitals } from "@/gen/api/webVitals";
import { API_BASE } from "@/lib/env";

/**
 * Measures the web vitals of this page, and sends them once, when the player leaves it for the first time: browsers
 * may end a hidden page without an event. Times are in milliseconds, the layout shift in thousandths.
 */
export function reportVitals(): void {
  // Firefox has none where its owner has switched beacons off.
  if (!navigator.sendBeacon) return;
  const vitals: WebVitals = {};
  const keep = ({ name, value }: Metric) => {
    const vital = name.toLowerCase() as Lowercase<typeof name>;
    vitals[vital] = Math.round(name === "CLS" ? value * 1_000 : value);
  };
  for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(keep);
  watchFirstInput((delay) => {
    vitals.fid = Math.round(delay);
  });

  // The library's own listeners are on the window, and run before one on the document.
  const send = () => {
    if (document.visibilityState !== "hidden") return;
    document.removeEventListener("visibilitychange", send);
    navigator.sendBeacon(`${API_BASE}/rum`, new Blob([JSON.stringify(vitals)], { type: "application/json" }));
  };
  document.addEventListener("visibilitychange", send);
}

/** Measures the first input delay, which the specification asks for and the library no longer has. */
function watchFirstInput(report: (milliseconds: number) => void): void {
  if (!PerformanceObserver.supportedEntryTypes?.includes("first-input")) return;
  new PerformanceObserver((list) => {
    const [first] = list.getEntries() as PerformanceEventTiming[];
    if (first) report(first.processingStart - first.startTime);
  }).observe({ type: "first-input", buffered: true });
}
