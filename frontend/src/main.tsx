import "@/ui/tokens.css";
import "@/ui/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { watchConnectivity } from "@/app/connectivity";
import { afterFirstScreen } from "@/app/firstScreen";
import { firstTexts } from "@/app/firstTexts";
import { router } from "@/app/router";
import { storeCampaign } from "@/lib/campaign";
import { syncWithOtherTabs } from "@/lib/session/tabs";
import { provideToaster, showQueuedToast } from "@/lib/toast";
import { registerServiceWorker } from "@/pwa/register";

await firstTexts;

provideToaster(async () => (await import("@/app/toaster")).mountToaster());
storeCampaign(window.location.search);
watchConnectivity(router);
syncWithOtherTabs();
showQueuedToast();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
}

afterFirstScreen(router, registerServiceWorker);
afterFirstScreen(router, () => {
  if (!navigator.serviceWorker?.controller) return;
  // Without them the app opens online only, which is no reason to trouble the player.
  import("@/app/screens").then(({ keepTexts }) => keepTexts()).catch(() => {});
});
