import { lazy, Suspense } from "react";
import { useLoaderData } from "react-router";
import { currentSession, hasOnboarded } from "@/lib/session/session";
import { Splash } from "@/ui/Splash";
import { Welcome } from "./welcome";

// Imported through `screens`, so that the first view does not contain the list of its files.
const Home = lazy(async () => (await import("@/app/screens")).loadGuestHome());

/** Opens home for players and onboarded guests, the welcome for first-time visitors. */
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
