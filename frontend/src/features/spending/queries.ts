import { queryOptions } from "@tanstack/react-query";
import { fetchSpending } from "./api";

export const spendingQuery = queryOptions({ queryKey: ["wallet", "spending"], queryFn: fetchSpending });
