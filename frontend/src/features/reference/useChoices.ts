import { useQuery } from "@tanstack/react-query";
import { inPlayersLanguage, type ReferenceType } from "./model";
import { choicesQuery } from "./queries";

/** All choices, fetched once per visit, with their names in the player's language. */
export function useChoices(type: ReferenceType) {
  return useQuery({ ...choicesQuery(type), select: (choices) => inPlayersLanguage(type, choices) });
}
