import { lazy, Suspense } from "react";
import { useLoaderData } from "react-router";
import { currentSession, hasOnboarded } from "@/lib/session/session";
import { Splash } from "@/ui/Splash";
import { Welcome } from "./welcome";

// By way of the other screens: which files it consists of need not stand in the first view.
const Home = lazy(async () => (await import("@/app/screens")).loadGuestHome());

/** Judged at every arrival: the welcome for a visitor on first sight, the guests' home after it, home for a player. */
export function loader(): "welcome" | "home" {
  return currentSession() || hasOnboarded() ? "home" : "welcome";
}

export function Component() {
  const opensTo = useLoaderData<typeof loader>();
  if (opensTo === "welcome") return <Welcome />;
  return (
    <Suspense fallback={<Splash />}>
      <Home />
    </Suspense>
  );
}
