import { queryOptions } from "@tanstack/react-query";
import { fetchContacts } from "./api";

/** How to reach the support, in the order to show it. */
export const contactsQuery = queryOptions({
  queryKey: ["contacts"],
  queryFn: fetchContacts,
  staleTime: 60 * 60_000,
});
