import { paths } from "@/app/paths";
import { currentLanguage } from "@/lib/i18n/language";
import { currentSession, hasOnboarded } from "@/lib/session/session";
import progress from "@/ui/ProgressLine.module.css";

/** Hides the page's sentence about a failed start, or shows it at once. */
export function setFailed(isFailed: boolean): void {
  const sentence = document.getElementById("start-failed");
  if (sentence) sentence.style.cssText = isFailed ? "animation: none" : "display: none";
}

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
 * Runs a task after the page's own content is painted. A page in the background is not painted; the time limit covers a
 * page that moves to the background meanwhile.
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

/** The last link that was tapped before the app's code had loaded, and the line that answers the tap. */
let tapped: { readonly link: HTMLAnchorElement; readonly line: HTMLElement } | null = null;

function answerTap(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  const isApp = link?.origin === window.location.origin && !link.hash;
  if (!link || !isApp || event.metaKey || event.ctrlKey || event.shiftKey) return;
  // On a navigation the browser would drop the code that it is loading, and fetch it again for the next page.
  event.preventDefault();
  const line = tapped?.line ?? document.createElement("div");
  line.className = progress.line ?? "";
  document.body.append(line);
  tapped = { link, line };
}

/** Answers taps on the links of the page's HTML, until `followTap` takes over. */
export function keepTaps(): void {
  document.getElementById("root")?.addEventListener("click", answerTap);
}

/** Ends `keepTaps`, and opens the link that was tapped meanwhile. */
export function followTap(open: (path: string) => void): void {
  document.getElementById("root")?.removeEventListener("click", answerTap);
  if (!tapped) return;
  const { link, line } = tapped;
  tapped = null;
  line.remove();
  open(link.pathname + link.search);
}
