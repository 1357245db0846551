import { expect, it } from "vitest";
import { fill, pageFilesOf } from "./prerender.mjs";

const index = `<!doctype html><html><head><title>PlayOn</title>
<link rel="stylesheet" crossorigin href="/assets/start.css"></head>
<body><div id="root"><svg></svg></div> <p id="start-failed"></p></body></html>`;

const content = {
  css: "h1{color:red}",
  inline: ["assets/start.css"],
  later: { scripts: ["/assets/login.js"] },
};

const manifest = {
  _start: { name: "start", file: "assets/start.js", css: ["assets/start.css"] },
  _main: { name: "main", file: "assets/main.js", css: ["assets/main.css"], imports: ["_start"] },
  _screens: { name: "screens", file: "assets/screens.js", imports: ["_main"] },
  "src/login.tsx": { file: "assets/login.js", css: ["assets/login.css"], imports: ["_main"] },
  "src/app/first/en.ts": { file: "assets/first-en.js" },
  "src/app/first/sw.ts": { file: "assets/first-sw.js" },
  "src/features/auth/locales/en.ts": { file: "assets/auth-en.js" },
  "src/features/auth/locales/sw.ts": { file: "assets/auth-sw.js" },
};

it("puts a page's content, title and styles into the HTML", () => {
  const page = fill(index, { ...content, title: "Login & Register", html: "<main>Hello</main>" });
  expect(page).toContain('<div id="root"><main>Hello</main></div>');
  expect(page).toContain("<title>Login &amp; Register</title>");
  expect(page).toContain("<style>h1{color:red}</style>");
});

it("fetches no style sheet a second time", () => {
  const links = fill(index, content).match(/<link rel="stylesheet"[^>]*>/g);
  expect(links).toEqual(['<link rel="stylesheet" href="/assets/start.css" disabled>']);
});

it("keeps the splash where the welcome stands beside it", () => {
  const page = fill(index, { ...content, welcome: "<h1>Welcome</h1>" });
  expect(page).toContain(
    '<div id="root"><svg></svg></div><template id="welcome"><h1>Welcome</h1></template>',
  );
});

it("names the files of the screen, and its texts in each language, besides those of the app", () => {
  const { inline, later } = pageFilesOf(manifest, { sources: ["src/login.tsx"], texts: ["auth"] });
  expect(inline).toEqual(["assets/start.css", "assets/main.css", "assets/login.css"]);
  expect(later.scripts).toEqual(["/assets/login.js", "/assets/screens.js"]);
  expect(later.texts.sw).toEqual(["/assets/first-sw.js", "/assets/auth-sw.js"]);
});

it("fails when a page names a source that is not in the build", () => {
  expect(() => pageFilesOf(manifest, { sources: ["src/gone.tsx"], texts: [] })).toThrow("not in the build");
});
