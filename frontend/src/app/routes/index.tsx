import type { ReactNode } from "react";
import { useLoaderData } from "react-router";
import { HomeSkeleton } from "@/app/layouts/HomeSkeleton";
import { currentSession, hasOnboarded, mayResume } from "@/lib/session/session";
import { Crash } from "@/ui/Crash";
import { type FallbackProps, lazyComponent } from "@/ui/Lazy";
import { Welcome } from "./welcome";

function HomeFallback({ error, onRetry }: FallbackProps<object>): ReactNode {
  if (!error) return <HomeSkeleton />;
  return (
    <main>
      <Crash page error={error} onRetry={onRetry} />
    </main>
  );
}

// Imported through `screens`, so that the first view does not contain the list of its files.
const Home = lazyComponent(
  async () => (await (await import("@/app/screens")).loadGuestHome()).default,
  HomeFallback,
);

/** Opens home for players and onboarded guests, the welcome for first-time visitors. */
export async function loader(): Promise<"welcome" | "home"> {
  if (mayResume()) await (await import("@/lib/session/access")).resumeSession();
  return currentSession() || hasOnboarded() ? "home" : "welcome";
}

export function Component() {
  const opensTo = useLoaderData<typeof loader>();
  return opensTo === "welcome" ? <Welcome /> : <Home />;
}
