import type { createBrowserRouter } from "react-router";
import { paths } from "@/app/paths";
import { API_BASE, REQUEST_TIMEOUT_MS } from "@/lib/env";
import { t } from "@/lib/i18n/i18n";
import { isFirstEntry } from "@/lib/navigation";
import { timeoutSignal } from "@/lib/platform";
import { queueToastForReload, toast } from "@/lib/toast";

type Router = ReturnType<typeof createBrowserRouter>;

/** The specification's connectivity check: a HEAD of the login path. */
export async function isServerReachable(): Promise<boolean> {
  try {
    const reply = await fetch(`${API_BASE}/auth/login`, {
      method: "HEAD",
      cache: "no-store",
      signal: timeoutSignal(REQUEST_TIMEOUT_MS),
    });
    return reply.ok;
  } catch {
    return false;
  }
}

/** Shows the offline screen when the connection is lost, and leaves it when the server can be reached again. */
export function watchConnectivity(router: Router, reload: () => void = () => window.location.reload()): void {
  const onOfflineScreen = () => router.state.location.pathname === paths.offline;
  // A game goes on without a network, and sends its score itself.
  const inGame = () => router.state.location.pathname.endsWith("/play");

  // The app was opened offline from the cache, so its data is as old as the last visit.
  if (!navigator.onLine) toast.warning(t("offline.now"));

  window.addEventListener("offline", () => {
    if (inGame()) return;
    toast.warning(t("offline.now"));
    if (!onOfflineScreen()) void router.navigate(paths.offline);
  });

  window.addEventListener("online", async () => {
    if (inGame()) return;
    if (!(await isServerReachable())) {
      if (!onOfflineScreen()) await router.navigate(paths.offline);
      return;
    }
    queueToastForReload(t("offline.backOnline"));
    if (!onOfflineScreen()) {
      reload();
      return;
    }
    // In a browser, going back is asynchronous: reload only after the previous page is shown.
    const left = router.subscribe(({ location }) => {
      if (location.pathname === paths.offline) return;
      left();
      reload();
    });
    if (isFirstEntry()) await router.navigate(paths.home, { replace: true });
    else await router.navigate(-1);
  });
}
