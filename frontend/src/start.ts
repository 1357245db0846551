import "@/ui/tokens.css";
import "@/ui/global.css";
import { afterPaint, keepTaps, setFailed, showWelcome } from "@/app/firstPaint";
import { storeCampaign } from "@/lib/campaign";
import { currentLanguage } from "@/lib/i18n/language";

/** The files that the page's first screen needs, as `tools/prerender.mjs` names them. */
interface PageFiles {
  readonly scripts: readonly string[];
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

function pageFiles(): PageFiles | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="page-files"]')?.content;
  return content ? JSON.parse(content) : null;
}

function preload(files: readonly string[]): void {
  const links = files.map((href) =>
    Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href }),
  );
  document.head.append(...links);
}

/** Fetches all code of the first screen side by side, instead of each file after the one that imports it. */
function load(): void {
  const app = import("@/main");
  const files = pageFiles();
  preload([...(files?.texts[currentLanguage()] ?? []), ...(files?.scripts ?? [])]);
  app.catch(() => setFailed(true));
}

setFailed(false);
// Stored at once, so that a friend who leaves before the code has loaded stays invited.
storeCampaign(window.location.search);
// The page has its own HTML and styles. On a slow line the app's code would take their bandwidth.
showWelcome();
keepTaps();
afterPaint(load);
