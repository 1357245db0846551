import { useEffect, useState } from "react";

/**
 * How long the button at the foot of a screen that follows Pay does nothing at first: it stands where Pay stood, and a
 * second tap on Pay must not leave the screen unread.
 */
const UNREADY_MS = 1_000;

/** Whether the screen has been open for a moment. */
export function useReady(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), UNREADY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isReady;
}
