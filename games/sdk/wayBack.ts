import type { AppFrame } from "./appFrame";

/** Marks the history entry that a run adds. */
interface Guard {
  run: true;
}

const isGuard = (state: unknown): state is Guard => (state as Guard | null)?.run === true;

/**
 * The ways out of a game. During a run the page has a history entry of its own, so that Back pauses first. A link takes
 * the game's place in the history: Back never enters a game again that was left. Inside the app, the app has the
 * entries: a frame may not move the app.
 */
export class WayBack {
  private isGuarded = isGuard(history.state);
  private target: string | null = null;

  /** `pause` is called by Back, and returns whether there was a run to pause. */
  constructor(
    page: HTMLElement,
    private readonly app: AppFrame | null,
    private readonly pause: () => boolean,
  ) {
    if (app) app.onBack = () => pause() || app.back();
    else window.addEventListener("popstate", (event) => this.popped(event));
    page.addEventListener("click", (event) => {
      const link = event.target instanceof Element && event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.leave(link.href);
    });
  }

  /** Adds the run's entry. */
  guard(): void {
    if (this.app) {
      this.app.run();
      return;
    }
    if (this.isGuarded) return;
    const state: Guard = { run: true };
    history.pushState(state, "");
    this.isGuarded = true;
  }

  /** Loads a page of the app in the game's place. */
  leave(url: string): void {
    if (this.app) {
      this.app.leave(url);
      return;
    }
    // A second tap comes before the step back has happened.
    const isLeaving = this.target !== null;
    this.target = url;
    if (!this.isGuarded) location.replace(url);
    else if (!isLeaving) history.back();
  }

  private popped(event: PopStateEvent): void {
    this.isGuarded = isGuard(event.state);
    if (this.isGuarded) return;
    if (this.target) location.replace(this.target);
    else if (!this.pause()) history.back();
  }
}
