// Assigns modules to files. Each file costs a request of its own, with about 800 bytes of headers and, on a slow line,
// up to a round trip, so modules that are always needed together are one file.
import { fileURLToPath } from "node:url";
import type { Rolldown } from "vite";

type Graph = Rolldown.ChunkingContext;

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** Returns these modules and all their static imports. */
function closureOf(graph: Graph, entries: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const queue = [...entries];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return seen;
}

/** A group of all modules that these need, in one file. Earlier groups take their modules first. */
function needsOf(name: string, entries: readonly string[]) {
  let closure: ReadonlySet<string> | undefined;
  return {
    name: (id: string, graph: Graph) => {
      closure ??= closureOf(graph, entries.map(source));
      return closure.has(id) ? name : null;
    },
  };
}

export const groups = [
  // Libraries that every page needs change rarely, so they stay cached across releases of the app.
  {
    name: "react",
    test: /rolldown\/runtime|node_modules\/(?:react|react-dom|react-router|scheduler)\//,
    priority: 9,
  },
  { ...needsOf("start", ["start.ts"]), priority: 8 },
  { ...needsOf("main", ["main.tsx"]), priority: 7 },
  { name: "icons", test: /node_modules\/lucide-react\//, minShareCount: 2, priority: 6 },
  { ...needsOf("screens", ["app/screens.ts", "app/layouts/ScreenFallback.tsx"]), priority: 5 },
  // Modules that every screen with data needs: server state, HTTP calls, sessions, the guard.
  {
    ...needsOf("data", ["app/layouts/DataLayout.tsx", "app/guard.ts", "lib/http/wire.ts", "lib/recovery.ts"]),
    priority: 4,
  },
  // Forms and dialogs have libraries of their own, which not every screen needs.
  { ...needsOf("form", ["ui/TextField.tsx", "ui/SelectField.tsx"]), priority: 3 },
  { ...needsOf("dialog", ["ui/Dialog.tsx"]), priority: 2 },
  // CodeForm would bring react-hook-form into this file, which the home screen loads.
  {
    name: "shared",
    test: /\/src\/(?:features\/(?!auth\/components\/CodeForm)|entities\/|ui\/|lib\/)/,
    minShareCount: 3,
    priority: 1,
  },
];
