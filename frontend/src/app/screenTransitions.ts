/**
 * Keeps a screen transition that doesn't run from being reported as a fault. A tap during a transition skips it, and
 * the browser then rejects `ready`, which React Router leaves unhandled although the next screen is shown. An error of
 * the update itself still arrives by `updateCallbackDone`.
 * https://www.w3.org/TR/css-view-transitions-1/#skip-the-view-transition
 */
export function allowSkippedTransitions(page: Document): void {
  if (typeof page.startViewTransition !== "function") return;
  const start = page.startViewTransition.bind(page);
  page.startViewTransition = (update) => {
    const transition = start(update);
    transition.ready.catch(() => {});
    return transition;
  };
}
