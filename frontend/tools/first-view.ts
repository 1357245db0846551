// Build steps for the first view: a preload of the table of screens, and an early start of its texts.
import type { Plugin } from "vite";

/** Nothing is painted before the styles are there, so they are requested before the scripts. */
function stylesFirst(html: string): string {
  const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const rest = styles.reduce((text, link) => text.replace(link, ""), html);
  return rest.replace("<script", `${styles.join("")}<script`);
}

/**
 * The table of screens is not part of the first view, but every page except the welcome needs it at once. The preload
 * fetches it in parallel with the first code.
 */
export function preloadScreens(): Plugin {
  return {
    name: "preload-of-screens",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) => {
        const chunk = Object.values(bundle ?? {}).find(
          (each) => each.type === "chunk" && each.name === "screens",
        );
        if (!chunk) throw new Error("the table of screens is not in the build");
        const attrs = {
          rel: "modulepreload",
          crossorigin: true,
          href: `/${chunk.fileName}`,
          fetchpriority: "low",
        };
        return { html: stylesFirst(html), tags: [{ tag: "link", attrs, injectTo: "head" }] };
      },
    },
  };
}

/** The module that loads the texts of the first view, in the player's language. */
const FIRST_TEXTS = "src/app/firstTexts.ts";

/**
 * Which language to load is known only in the browser. Started by a script of its own, the texts load beside the code of
 * the first view; imported by that code alone, they would be requested after it.
 */
export function startTexts(): Plugin {
  let chunk = "";
  return {
    name: "start-of-texts",
    apply: "build",
    buildStart() {
      chunk = this.emitFile({ type: "chunk", id: FIRST_TEXTS, name: "texts" });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const start = Object.values(bundle ?? {}).find(
          (each) => each.type === "chunk" && each.facadeModuleId?.endsWith(FIRST_TEXTS),
        );
        if (!start) throw new Error(`the texts of the first view are not in the build: ${chunk}`);
        const attrs = { type: "module", async: true, crossorigin: true, src: `/${start.fileName}` };
        return [{ tag: "script", attrs, injectTo: "head" }];
      },
    },
  };
}
