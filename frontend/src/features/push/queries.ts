import { queryOptions } from "@tanstack/react-query";
import { fetchSettings } from "./api";

/** What the player wants to be pushed. */
export const settingsQuery = queryOptions({
  queryKey: ["notifications", "settings"],
  queryFn: fetchSettings,
  staleTime: 5 * 60_000,
});
