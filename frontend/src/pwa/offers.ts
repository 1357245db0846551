/** The offers of the banner: a new version, or to install the app. */
export interface Offers {
  /** Activates the waiting version and reloads. Returns false while another tab keeps updates away. */
  readonly update: (() => Promise<boolean>) | null;
  /** The browser's own prompt to install the app. */
  readonly install: (() => Promise<"accepted" | "dismissed">) | null;
}

let offers: Offers = { update: null, install: null };
const listeners = new Set<() => void>();

export function currentOffers(): Offers {
  return offers;
}

export function offer(change: Partial<Offers>): void {
  offers = { ...offers, ...change };
  for (const listener of listeners) listener();
}

export function onOffersChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Chromium's event before it would show its own install banner. Other browsers offer no prompt. */
interface InstallEvent extends Event {
  prompt(): Promise<{ readonly outcome: "accepted" | "dismissed" }>;
}

/** Keeps the browser's install prompt for our banner. The event comes once, so this runs before the first screen. */
export function watchInstallPrompt(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer({ install: async () => (await (event as InstallEvent).prompt()).outcome });
  });
  window.addEventListener("appinstalled", () => offer({ install: null }));
}
