import { type LoaderFunctionArgs, matchPath, type RouteObject, replace } from "react-router";
import { accountPaths } from "@/app/accountPaths";
import { chatPaths } from "@/app/chatPaths";
import { loaderOf } from "@/app/data/screenData";
import { PLAY_PATH } from "@/app/gamePaths";
import { HoldUpdates } from "@/app/layouts/HoldUpdates";
import { withFallbacks } from "@/app/lazyRoute";
import { paths } from "@/app/paths";
import { keepTextsForOffline, withTheirTexts } from "@/app/texts";
import { boardPathIn, tournamentPaths } from "@/app/tournamentPaths";
import { importChunk } from "@/lib/chunk";
import { withTexts } from "@/lib/i18n/i18n";

// Imported on demand, in parallel with the screen's own code.
const guard = async (args: LoaderFunctionArgs) =>
  (await importChunk(() => import("@/app/guard"))).guard(args);
const guardPlayers = async (args: LoaderFunctionArgs) =>
  (await importChunk(() => import("@/app/guard"))).guardPlayers(args);
const guestsOnly = async (args: LoaderFunctionArgs) =>
  (await importChunk(() => import("@/app/guard"))).guestsOnly(args);

/** Guarded screens inside the layout with the side menu. */
const inShell: RouteObject[] = [
  { path: paths.dashboard, ...loaderOf(paths.dashboard), lazy: () => import("@/app/routes/home") },
  { path: paths.profile, lazy: () => import("@/app/routes/profile") },
  { path: paths.currency, lazy: () => import("@/app/routes/currency") },
  { path: paths.country, lazy: () => import("@/app/routes/country") },
  { path: paths.account, ...loaderOf(paths.account), lazy: () => import("@/app/routes/account") },
  { path: paths.changePassword, lazy: () => import("@/app/routes/change-password") },
  { path: paths.notificationSettings, lazy: () => import("@/app/routes/notification-settings") },
  { path: paths.newDevice, lazy: () => import("@/app/routes/new-device") },
  { path: accountPaths.spending, lazy: () => import("@/app/routes/spending") },
  { path: accountPaths.phones, lazy: () => import("@/app/routes/phones") },
  { path: accountPaths.data, lazy: () => import("@/app/routes/data") },
  {
    path: paths.notifications,
    ...loaderOf(paths.notifications),
    lazy: () => import("@/app/routes/notifications"),
  },
  { path: paths.wallet, ...loaderOf(paths.wallet), lazy: () => import("@/app/routes/wallet") },
  {
    path: paths.subscriptions,
    ...loaderOf(paths.subscriptions),
    lazy: () => import("@/app/routes/subscriptions"),
  },
  { path: paths.tournaments, ...loaderOf(paths.tournaments), lazy: () => import("@/app/routes/tournaments") },
  {
    path: tournamentPaths.leaderboard,
    loader: ({ request }) => replace(boardPathIn(new URL(request.url).search)),
  },
  {
    path: tournamentPaths.board,
    ...loaderOf(tournamentPaths.board),
    lazy: () => import("@/app/routes/leaderboard"),
  },
  {
    path: tournamentPaths.hallOfFame,
    ...loaderOf(tournamentPaths.hallOfFame),
    lazy: () => import("@/app/routes/hall-of-fame"),
  },
  { path: paths.tv, ...loaderOf(paths.tv), lazy: () => import("@/app/routes/tv") },
  { path: paths.chatRooms, ...loaderOf(paths.chatRooms), lazy: () => import("@/app/routes/chat-rooms") },
  { path: chatPaths.room, ...loaderOf(chatPaths.room), lazy: () => import("@/app/routes/chat-room") },
];

/** Screens for guests too, inside the same layout. */
const forGuests: RouteObject[] = [
  { path: paths.games, ...loaderOf(paths.games), lazy: () => import("@/app/routes/games") },
  { path: paths.feedback, ...loaderOf(paths.feedback), lazy: () => import("@/app/routes/feedback") },
  { path: paths.game, ...loaderOf(paths.game), lazy: () => import("@/app/routes/game") },
];

/** The screens of a payment, without menu. */
const payment: RouteObject[] = [
  { path: paths.amount, ...loaderOf(paths.amount), lazy: () => import("@/app/routes/amount") },
  { path: paths.review, ...loaderOf(paths.review), lazy: () => import("@/app/routes/review") },
  { path: paths.pay, lazy: () => import("@/app/routes/pay") },
  { path: paths.airtime, lazy: () => import("@/app/routes/pay") },
  { path: paths.boost, lazy: () => import("@/app/routes/boost") },
];

/**
 * Starts the app's background work once it has a service worker. Imported through this file, so that the first view
 * contains neither that code nor the list of catalogues.
 */
export async function workInBackground(open: (path: string) => void): Promise<void> {
  const pushes = import("@/features/push/foreground").then(({ watchPushes }) =>
    watchPushes({ open, showsToasts: () => matchPath(PLAY_PATH, window.location.pathname) === null }),
  );
  // Without a controller the service worker would not store the texts that are loaded now.
  const texts = navigator.serviceWorker.controller ? keepTextsForOffline() : undefined;
  await Promise.all([texts, pushes]);
}

/** Home at `/`, after the welcome. */
export const loadGuestHome = () =>
  withTexts(import("@/app/routes/guest-home"), "app", "events", "games", "tournament", "wallet");

export const loadOfferBanner = () => withTexts(import("@/app/layouts/OfferBanner"), "app");

export const loadOnboarding = () => withTexts(import("@/app/routes/onboarding"), "app");

/**
 * The guards run before every screen, not only before the first one. A dialog is a history entry of the same screen and
 * must not wait for a token renewal.
 */
const isAnotherPage: RouteObject["shouldRevalidate"] = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname;

const table: RouteObject[] = [
  {
    lazy: () => import("@/app/layouts/DataLayout"),
    children: [
      { path: paths.login, loader: guestsOnly, lazy: () => import("@/app/routes/login") },
      { path: paths.register, loader: guestsOnly, lazy: () => import("@/app/routes/login") },
      { path: paths.resetPassword, lazy: () => import("@/app/routes/reset-password") },
      { path: paths.confirmEmail, lazy: () => import("@/app/routes/confirm-email") },
      {
        Component: HoldUpdates,
        children: [{ path: paths.waiting, lazy: () => import("@/app/routes/waiting") }],
      },
      {
        loader: guardPlayers,
        children: [{ lazy: () => import("@/app/layouts/ShellLayout"), children: forGuests }],
      },
      {
        loader: guardPlayers,
        shouldRevalidate: isAnotherPage,
        Component: HoldUpdates,
        children: [{ path: PLAY_PATH, ...loaderOf(PLAY_PATH), lazy: () => import("@/app/routes/play") }],
      },
      {
        loader: guard,
        shouldRevalidate: isAnotherPage,
        children: [
          { lazy: () => import("@/app/layouts/ShellLayout"), children: inShell },
          { path: paths.referral, lazy: () => import("@/app/routes/referral") },
          { Component: HoldUpdates, children: payment },
          { path: paths.tvItem, ...loaderOf(paths.tvItem), lazy: () => import("@/app/routes/tv-item") },
          { path: paths.thankYou, lazy: () => import("@/app/routes/thank-you") },
        ],
      },
    ],
  },
  { path: paths.privacy, lazy: () => withTexts(import("@/app/routes/privacy"), "legal") },
  { path: paths.terms, lazy: () => withTexts(import("@/app/routes/terms"), "legal") },
  { path: "*", lazy: () => import("@/app/routes/not-found") },
];

/** All screens except those of the first view, each with its texts and its own error boundary. */
export const screens: RouteObject[] = withFallbacks(withTheirTexts(table));
