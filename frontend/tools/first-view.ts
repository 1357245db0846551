// What the build does for the first view: less of the router in it, and the table of the other screens on its way.
import type { Plugin } from "vite";

/**
 * react-router does not mark its components as free of side effects, and names them for React's developer tools;
 * either keeps a part in the bundle that nobody uses.
 */
export function shakeRouter(): Plugin {
  return {
    name: "shake-router",
    apply: "build",
    transform: {
      filter: { id: /node_modules\/react-router\/dist\/production\// },
      handler: (code) => ({
        code: code
          .replace(/^\w+\.displayName = .*;$/gm, "")
          .replace(/= (?=React\d*\.(?:createContext|forwardRef|memo)\()/g, "= /* @__PURE__ */ "),
        map: null,
      }),
    },
  };
}

/**
 * The table of screens is not part of the first view, but every page other than the welcome asks for it at once:
 * it comes beside the first code, not after it.
 */
export function preloadOfScreens(): Plugin {
  return {
    name: "preload-of-screens",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) => {
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
        return [{ tag: "link", attrs, injectTo: "head" }];
      },
    },
  };
}
