import { queryOptions } from "@tanstack/react-query";
import { fetchCountries, fetchCurrencies } from "./api";
import { type Choice, choiceOfCountry, choiceOfCurrency, type ReferenceType } from "./model";

/** One day: ISO changes its lists a few times a year. */
const STALE_TIME_MS = 24 * 60 * 60_000;

async function fetchChoices(type: ReferenceType): Promise<Choice[]> {
  return type === "country"
    ? (await fetchCountries()).map(choiceOfCountry)
    : (await fetchCurrencies()).map(choiceOfCurrency);
}

/** All countries or currencies, fetched once per visit. */
export function choicesQuery(type: ReferenceType) {
  return queryOptions({
    queryKey: ["reference", type],
    queryFn: () => fetchChoices(type),
    staleTime: STALE_TIME_MS,
    gcTime: STALE_TIME_MS,
  });
}
