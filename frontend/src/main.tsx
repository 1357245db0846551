import { StrictMode, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { startBackground } from "@/app/background";
import { watchConnectivity } from "@/app/connectivity";
import { followTap, setFailed } from "@/app/firstPaint";
import { afterFirstScreen } from "@/app/firstScreen";
import { firstTexts } from "@/app/firstTexts";
import { router } from "@/app/router";
import { allowSkippedTransitions } from "@/app/screenTransitions";
import { provideToaster, showQueuedToast } from "@/lib/toast";
import { watchInstallPrompt } from "@/pwa/offers";

/**
 * Opens the link that was tapped before React replaced the page's HTML. It runs only after that: a tap in between would
 * find a link without a handler, and load the next page in full.
 */
function TapFollower(): null {
  useLayoutEffect(() => followTap(router.navigate), []);
  return null;
}

function start(): void {
  provideToaster(async () => (await import("@/app/toaster")).mountToaster());
  allowSkippedTransitions(document);
  watchConnectivity(router);
  watchInstallPrompt();
  showQueuedToast();

  // The page has content already: the splash, or what the build rendered. It stays until the first screen can replace it.
  afterFirstScreen(router, () => {
    const root = document.getElementById("root");
    if (!root) return;
    createRoot(root).render(
      <StrictMode>
        <RouterProvider router={router} />
        <TapFollower />
      </StrictMode>,
    );
    // Without it a tab learns from a refused call that another one signed out.
    import("@/lib/session/tabSync").then((tabs) => tabs.syncWithOtherTabs()).catch(() => {});
    // Without it the app opens online only and shows no toast for a push, which is no reason for a message.
    startBackground(router.navigate).catch(() => {});
    if (import.meta.env.DEV) return;
    const load = () => import("@/app/afterLoad").then((later) => later.startAfterLoad()).catch(() => {});
    if (document.readyState === "complete") void load();
    else window.addEventListener("load", load);
  });
}

// A top-level await would pull the code that other chunks share into this one.
firstTexts.then(start).catch(() => setFailed(true));
