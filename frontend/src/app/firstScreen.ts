import type { createBrowserRouter } from "react-router";

type Router = ReturnType<typeof createBrowserRouter>;

/** Runs once the first screen of a visit has all it needs: what can wait leaves the line to it until then. */
export function afterFirstScreen(router: Router, run: () => void): void {
  if (router.state.initialized) {
    run();
    return;
  }
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return;
    stop();
    run();
  });
}
