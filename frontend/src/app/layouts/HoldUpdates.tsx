import { Outlet } from "react-router";
import { useHoldUpdates } from "@/lib/updates";

/** Wraps screens that a new version of the app must not interrupt, such as those of a payment. */
export function HoldUpdates() {
  useHoldUpdates();
  return <Outlet />;
}
