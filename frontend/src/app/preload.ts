import { startQueries } from "@/app/data/screenData";
import { preloadRoutes } from "@/app/lazyRoute";
import { paths } from "@/app/paths";
import { screens } from "@/app/screens";
import { tournamentPaths } from "@/app/tournamentPaths";
import { savesData } from "@/lib/device";

/** The pages that usually follow a page. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  [paths.login]: [paths.dashboard, paths.profile],
  [paths.register]: [paths.profile, paths.referral],
  [paths.profile]: [paths.dashboard, paths.referral],
  [paths.referral]: [paths.dashboard],
  [paths.dashboard]: [paths.game, paths.notifications, paths.account, paths.wallet],
  [paths.games]: [paths.game],
  [paths.tournaments]: [tournamentPaths.board, paths.game],
  [paths.notifications]: [paths.dashboard, paths.account],
  [paths.account]: [paths.dashboard, paths.notifications],
  [paths.wallet]: [paths.amount],
  [paths.amount]: [paths.review],
  [paths.review]: [paths.waiting],
  [paths.boost]: [paths.amount],
  [paths.subscriptions]: [paths.review],
  [paths.waiting]: [paths.thankYou],
};

/** Fetches a page's code and texts before it is opened. */
export function preloadPage(pathname: string): void {
  preloadRoutes(screens, pathname);
}

/**
 * Fetches the code of the pages that are likely next. The steps of a payment are always fetched, because they are few
 * and small.
 */
export function preloadNext(pathname: string): void {
  const isPayment = pathname.startsWith(paths.amount.slice(0, paths.amount.lastIndexOf("/")));
  if (savesData() && !isPayment) return;
  for (const next of NEXT[pathname] ?? []) preloadPage(next);
}

/** Starts to fetch a page's code and data when a finger touches its link, some 100 ms before the click. */
export function preloadOnPointerDown(): () => void {
  const start = ({ target }: PointerEvent) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || link.origin !== window.location.origin || link.pathname === window.location.pathname) return;
    preloadPage(link.pathname);
    // The screen repeats a call that failed, and shows the failure.
    startQueries(link.pathname).catch(() => {});
  };
  document.addEventListener("pointerdown", start, { passive: true });
  return () => document.removeEventListener("pointerdown", start);
}
