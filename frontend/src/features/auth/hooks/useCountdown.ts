import { useEffect, useState } from "react";
import { serverNow } from "@/lib/clock";

function secondsUntil(at: number): number {
  return Math.max(0, Math.ceil((at - serverNow()) / 1_000));
}

/** Seconds left until a time in ms since the epoch, by the server's clock; 0 once it has passed. */
export function useCountdown(at: number): number {
  const [left, setLeft] = useState(() => secondsUntil(at));
  const isOver = left === 0;
  useEffect(() => {
    setLeft(secondsUntil(at));
    if (isOver && secondsUntil(at) === 0) return;
    const timer = setInterval(() => setLeft(secondsUntil(at)), 1_000);
    return () => clearInterval(timer);
  }, [at, isOver]);
  return left;
}
