import { useLayoutEffect, useRef } from "react";
import { serverNow } from "@/lib/clock";
import { onSecond } from "@/lib/ticker";
import styles from "./Countdown.module.css";

const DAY_S = 86_400;

const pad = (value: number) => String(value).padStart(2, "0");

/** Hours, minutes and seconds; or days, hours and minutes from one day on. */
function figuresOf(ms: number): readonly [number, number, number] {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / DAY_S),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  return days > 0 ? [days, hours, minutes] : [hours, minutes, seconds % 60];
}

const PLACES = [0, 1, 2] as const;

interface CountdownProps {
  readonly until: Date;
  /** The remaining time in words, for screen readers: "Ends in 2 h 14 min". */
  readonly label: (ms: number) => string;
  /** The units of days, hours and minutes, which follow the figures while there are days. */
  readonly units?: readonly [string, string, string];
}

/**
 * The time until a moment by the server's clock, in three boxes that never move sideways. A tick writes the text nodes
 * and renders nothing.
 */
export function Countdown({ until, label, units }: CountdownProps) {
  const element = useRef<HTMLSpanElement>(null);
  const write = (now: number) => {
    const root = element.current;
    if (!root) return;
    const left = until.getTime() - now;
    const unitsShown = units && left >= DAY_S * 1_000 ? units : null;
    for (const [place, figure] of figuresOf(left).entries()) {
      const [number, unit] = root.children[place]?.children ?? [];
      setText(number, pad(figure));
      setText(unit, unitsShown?.[place] ?? "");
    }
    root.toggleAttribute("data-days", unitsShown !== null);
    const words = label(left);
    if (root.getAttribute("aria-label") !== words) root.setAttribute("aria-label", words);
  };
  // Runs after each render, because the moment or the language may have changed.
  useLayoutEffect(() => {
    write(serverNow());
    return onSecond(write);
  });
  return (
    <span role="timer" ref={element} className={styles.countdown}>
      {PLACES.map((place) => (
        <span key={place} className={styles.figure} aria-hidden="true">
          <span />
          <small className={styles.unit} />
        </span>
      ))}
    </span>
  );
}

function setText(element: Element | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** A text that follows the server's clock, for a time in words. A tick writes the text node and renders nothing. */
export function TickingText({ textAt }: { readonly textAt: (now: number) => string }) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const write = (now: number) => setText(element.current ?? undefined, textAt(now));
    write(serverNow());
    return onSecond(write);
  });
  return <span ref={element} />;
}
