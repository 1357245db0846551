import { queryOptions } from "@tanstack/react-query";
import { fetchDataCopyState } from "./api";

/** How often the state is fetched while services are asked, which takes seconds. */
const COLLECTING_MS = 3_000;

/** The state of the player's copy of their data. */
export const dataCopyQuery = queryOptions({
  queryKey: ["profile", "dataCopy"],
  queryFn: fetchDataCopyState,
  refetchInterval: ({ state }) => (state.data?.state === "COLLECTING" ? COLLECTING_MS : false),
});
