import { paths } from "@/app/paths";
import { currentLanguage } from "@/lib/i18n/language";
import { currentSession, hasOnboarded } from "@/lib/session/session";

/** Whether the page opens with the welcome: a guest's first visit of `/`. */
function opensWelcome({ pathname, search }: Location): boolean {
  const isSlide = new URLSearchParams(search).has("slide");
  return pathname === paths.home && !isSlide && !currentSession() && !hasOnboarded();
}

/** Shows the welcome, which the build has rendered in English, in place of the splash. */
export function showWelcome(): void {
  const welcome = document.querySelector<HTMLTemplateElement>("template#welcome");
  if (!welcome || !opensWelcome(window.location) || currentLanguage() !== "en") return;
  document.getElementById("root")?.replaceChildren(welcome.content.cloneNode(true));
}

/**
 * Runs a task after the page's own content is painted. A page in the background is not painted, and the time limit is
 * for one that goes there meanwhile.
 */
export function afterPaint(run: () => void, limitMs = 500): void {
  let isDue = true;
  const once = () => {
    if (isDue) run();
    isDue = false;
  };
  if (document.hidden) {
    once();
    return;
  }
  requestAnimationFrame(() => requestAnimationFrame(once));
  setTimeout(once, limitMs);
}
