import { createBrowserRouter, type PatchRoutesOnNavigationFunction, type RouteObject } from "react-router";
import { ErrorScreen } from "@/app/layouts/ErrorScreen";
import { RootLayout } from "@/app/layouts/RootLayout";
import { paths } from "@/app/paths";
import { Component as First, loader as firstOf } from "@/app/routes/index";
import { OfflineScreen } from "@/app/routes/offline";

const ROOT = "root";

export const routes: RouteObject[] = [
  {
    id: ROOT,
    Component: RootLayout,
    ErrorBoundary: ErrorScreen,
    children: [
      { path: paths.home, loader: firstOf, Component: First },
      // The offline screen is part of the first view, because it cannot be loaded when it is needed.
      { path: paths.offline, Component: OfflineScreen },
    ],
  },
];

/** Adds the other screens on the first navigation to one of them, so that the first view does not contain them. */
export const loadScreens: PatchRoutesOnNavigationFunction = async ({ patch }) => {
  const { screens } = await import("@/app/screens");
  patch(ROOT, screens);
};

export const router = createBrowserRouter(routes, { patchRoutesOnNavigation: loadScreens });
