import { useEffect, useState } from "react";
import { serverNow } from "@/lib/clock";

/** The server's time, renewed each second, in ms since the epoch. */
export function useServerNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
