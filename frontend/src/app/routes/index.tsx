import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { HomeSkeleton } from "@/app/layouts/HomeSkeleton";
import { pageFallback } from "@/app/layouts/pageFallback";
import { currentSession, hasOnboarded, markOnboarded, mayResume } from "@/lib/session/session";
import { lazyComponent } from "@/ui/Lazy";
import { Welcome } from "./welcome";

// Imported through `screens`, so that the first view does not contain the list of its files.
const Home = lazyComponent(
  async () => (await (await import("@/app/screens")).loadGuestHome()).default,
  pageFallback(<HomeSkeleton />),
);

/**
 * Whether home opens, for players and onboarded guests, in place of the welcome of first-time visitors. `?try` is for
 * those who want to try a game first.
 */
export async function loader({ request }: LoaderFunctionArgs): Promise<boolean> {
  if (/\?try/.test(request.url)) markOnboarded();
  if (mayResume()) await (await import("@/lib/session/access")).resumeSession();
  return currentSession() !== null || hasOnboarded();
}

export function Component() {
  return useLoaderData<typeof loader>() ? <Home /> : <Welcome />;
}
