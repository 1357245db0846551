import { parseUrl } from "@/lib/platform";

/** The hosts of the sandbox's card page, which is plain HTTP in development. */
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The URL of a card page if a tab may be sent there: https, or plain http where both the page and the app are on this
 * machine, as in development. Null for anything else, such as a script.
 */
export function cardPageUrl(url: string | null | undefined): string | null {
  const page = url ? parseUrl(url) : null;
  if (!page) return null;
  const { protocol, hostname, href } = page;
  if (protocol === "https:") return href;
  return protocol === "http:" && LOOPBACK.has(hostname) && LOOPBACK.has(window.location.hostname)
    ? href
    : null;
}

/** A tab that was opened on the player's tap, before its page is known: browsers block tabs that open later. */
export interface CardTab {
  /** Shows the page. Returns false when the browser has blocked the tab or the player has closed it. */
  readonly show: (url: string) => boolean;
  readonly close: () => void;
}

export function openCardTab(): CardTab {
  const tab = window.open("", "_blank");
  // The card page must not reach back into the app.
  if (tab) tab.opener = null;
  return {
    show: (url) => {
      if (!tab || tab.closed) return false;
      tab.location.replace(url);
      return true;
    },
    close: () => tab?.close(),
  };
}
