import { type LoaderFunctionArgs, replace } from "react-router";
import { paths } from "@/app/paths";
import { boardPath } from "@/app/tournamentPaths";

/** Leads from `?id=` to that board, and without an id to the list. */
export function loader({ request }: LoaderFunctionArgs): Response {
  const id = new URL(request.url).searchParams.get("id");
  return replace(id ? boardPath(id) : paths.tournaments);
}
