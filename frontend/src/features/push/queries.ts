import { queryOptions } from "@tanstack/react-query";
import { fetchSettings } from "./api";

/** The player's push settings. */
export const settingsQuery = queryOptions({
  queryKey: ["notifications", "settings"],
  queryFn: fetchSettings,
  staleTime: 5 * 60_000,
});
