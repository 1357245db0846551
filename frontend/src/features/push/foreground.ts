import { onLanguageChange } from "@/lib/i18n/i18n";
import { onSessionChange } from "@/lib/session/session";
import { toast } from "@/lib/toast";
import { pathIn, workerMessage } from "./messages";
import { allowChimes, playChime } from "./sound";
import { refreshPush } from "./subscription";

const CLOSE_AFTER_MS = 3_000;
/** Number of push ids that are remembered, because a push may be delivered twice within minutes. */
const REMEMBERED = 20;

interface AppWindow {
  /** Opens a page of the app. */
  readonly open: (path: string) => void;
  /** Whether a toast would be seen: a game that is open covers it. */
  readonly showsToasts: () => boolean;
}

/**
 * Shows pushes while the app is on the screen: a toast with a sound, and no system notification. Opens the page of a
 * notification that was pressed in this window. Keeps the subscription fresh until the returned function is called.
 */
export function watchPushes({ open, showsToasts }: AppWindow): () => void {
  allowChimes();
  let shown: readonly string[] = [];
  const refresh = () => void refreshPush();
  navigator.serviceWorker?.addEventListener("message", ({ data, ports }: MessageEvent) => {
    const parsed = workerMessage.safeParse(data);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.type === "OPEN") {
      open(pathIn(message.url));
      return;
    }
    if (message.type === "SUBSCRIPTION_CHANGED") {
      refresh();
      return;
    }
    if (!showsToasts()) return;
    // This reply tells the service worker that it has to show nothing itself.
    ports[0]?.postMessage("shown");
    const { id, title, body, url } = message.push;
    if (shown.includes(id)) return;
    shown = [id, ...shown].slice(0, REMEMBERED);
    const onClick = () => open(pathIn(url));
    toast.info(`${title}\n${body}`, { closeAfterMs: CLOSE_AFTER_MS, onClick });
    playChime();
  });
  const stops = [onSessionChange(refresh), onLanguageChange(refresh)];
  refresh();
  return () => {
    for (const stop of stops) stop();
  };
}
