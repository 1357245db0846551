import { paths } from "@/app/paths";
import { currentSession, hasOnboarded } from "@/lib/session/session";

/** Whether the page opens with the welcome: a guest's first visit of `/`. */
export function isFirstVisit({ pathname, search }: Pick<Location, "pathname" | "search">): boolean {
  return (
    pathname === paths.home &&
    !new URLSearchParams(search).has("slide") &&
    !currentSession() &&
    !hasOnboarded()
  );
}
