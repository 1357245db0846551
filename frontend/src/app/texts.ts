import { type ComponentType, createElement, useSyncExternalStore } from "react";
import type { LazyRouteFunction, RouteObject } from "react-router";
import "@/app/legalTexts";
import { accountPaths } from "@/app/accountPaths";
import { chatPaths } from "@/app/chatPaths";
import { PLAY_PATH } from "@/app/gamePaths";
import { paths } from "@/app/paths";
import { tournamentPaths } from "@/app/tournamentPaths";
import {
  type CatalogueName,
  loadTexts,
  onLanguageChange,
  provideCatalogue,
  withTexts,
} from "@/lib/i18n/i18n";
import { currentLanguage, LANGUAGES, type Language } from "@/lib/i18n/language";

type Module = Parameters<typeof provideCatalogue>[1][Language] extends () => Promise<infer M> ? M : never;

const files = import.meta.glob<Module>([
  "/src/app/locales/{en,sw}.ts",
  "/src/entities/*/locales/*.ts",
  "/src/features/*/locales/*.ts",
]);

/** "wallet" of "/src/features/wallet/locales/en.ts", "app" of "/src/app/locales/en.ts". */
const nameOf = (file: string) => file.split("/").at(-3) as CatalogueName;

const loadersOf = (folder: string) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, files[`${folder}/${language}.ts`]]));

const english = Object.keys(files).filter((file) => file.endsWith("/en.ts"));

for (const file of english) {
  const folder = file.slice(0, -"/en.ts".length);
  provideCatalogue(nameOf(file), loadersOf(folder) as Record<Language, () => Promise<Module>>);
}

/** Loads all catalogues in the player's language, which puts them into the service worker's cache for an offline start. */
export async function keepTextsForOffline(): Promise<void> {
  await loadTexts(...english.map(nameOf), "legal");
}

/** The catalogues of a screen, besides the first view's and the layouts'. A test compares this table with what the screens show. */
export const textsByPath: Readonly<Record<string, readonly CatalogueName[]>> = {
  [paths.dashboard]: ["events", "games", "tournament", "wallet"],
  [paths.login]: ["auth"],
  [paths.register]: ["auth"],
  [paths.resetPassword]: ["auth"],
  [paths.confirmEmail]: ["auth"],
  [paths.referral]: ["referral"],
  [paths.profile]: ["profile", "wallet"],
  [paths.currency]: ["profile", "reference"],
  [paths.country]: ["profile", "reference"],
  [paths.account]: ["referral", "wallet"],
  [paths.feedback]: ["support"],
  [paths.changePassword]: ["auth"],
  [paths.notificationSettings]: ["push"],
  [paths.newDevice]: ["notifications"],
  [accountPaths.data]: ["auth", "privacy"],
  [accountPaths.spending]: ["spending"],
  [accountPaths.phones]: ["auth", "wallet"],
  [paths.notifications]: ["notifications", "push"],
  [paths.wallet]: ["wallet"],
  [paths.amount]: ["wallet"],
  [paths.review]: ["auth", "wallet"],
  [paths.pay]: ["wallet"],
  [paths.airtime]: ["wallet"],
  [paths.boost]: ["wallet"],
  [paths.subscriptions]: ["wallet"],
  [paths.waiting]: ["wallet"],
  [paths.thankYou]: ["wallet"],
  [paths.tournaments]: ["tournament"],
  [tournamentPaths.board]: ["tournament"],
  [tournamentPaths.hallOfFame]: ["tournament"],
  [paths.chatRooms]: ["chat"],
  [chatPaths.room]: ["chat"],
  [paths.games]: ["games"],
  [PLAY_PATH]: ["games", "spending"],
  [paths.game]: ["chat", "games", "tournament"],
  [paths.tv]: ["tv"],
  [paths.tvItem]: ["tv"],
};

/** The component, rendered again with everything that it shows after a change of the language. Its state stays. */
export function inPlayersLanguage(Component: ComponentType): ComponentType {
  return function InPlayersLanguage() {
    useSyncExternalStore(onLanguageChange, currentLanguage);
    return createElement(Component);
  };
}

async function loadScreen(
  lazy: LazyRouteFunction<RouteObject>,
  catalogues: readonly CatalogueName[],
): ReturnType<LazyRouteFunction<RouteObject>> {
  const route = await withTexts(lazy(), ...catalogues);
  return route.Component ? { ...route, Component: inPlayersLanguage(route.Component) } : route;
}

/** Lets each screen load its catalogues beside its code. Screens in a layout load the layouts' texts too. */
export function withTheirTexts(
  screens: readonly RouteObject[],
  ofLayouts: readonly CatalogueName[] = [],
): RouteObject[] {
  return screens.map((screen) => {
    const { lazy, children, path } = screen;
    const catalogues = [...ofLayouts, ...(textsByPath[path ?? ""] ?? [])];
    const loader = typeof lazy === "function" ? { lazy: () => loadScreen(lazy, catalogues) } : {};
    if (!children) return { ...screen, ...loader } as RouteObject;
    return { ...screen, ...loader, children: withTheirTexts(children, ["app"]) } as RouteObject;
  });
}
