/**
 * Starts what the app does beside the screens, once this browser has a service worker. In the visit that installs it,
 * and after a hard reload, no worker controls the page, but pushes reach its windows all the same.
 */
export async function startBackground(open: (path: string) => void): Promise<void> {
  await navigator.serviceWorker.ready;
  const { workInBackground } = await import("@/app/screens");
  await workInBackground(open);
}
