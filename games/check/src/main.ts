import "@sdk/shell.css";
import "./check.css";
import { button, h, icon, link } from "@sdk/dom";
import { chooseLanguage, formatNumber, ordinal } from "@sdk/texts";
import { appOrigin } from "@sdk/ticket";
import { translate } from "../texts";
import { type Checked, type CheckedPlace, checkResult } from "./check";
import { type Proof, readProof } from "./proof";

const ID = /^[\w-]{1,64}$/;
const TIMEOUT = 20_000;

const origin = appOrigin();
const fragment = new URLSearchParams(location.hash.slice(1));
const wanted = fragment.get("tournament");
const tournament = wanted !== null && ID.test(wanted) ? wanted : null;
const language = chooseLanguage(fragment.get("lang"), null, navigator.languages ?? []);
const text = (key: Parameters<typeof translate>[1], n?: number | string) => translate(language, key, n);

document.documentElement.lang = language;
document.title = `${text("title")} · PlayOn`;
const said = h("div", { class: "verdict", role: "status" });
const list = h("div", { class: "places" });
const acts = h("div", { class: "acts" });
const main = document.querySelector("main") ?? document.body;
main.append(h("h1", {}, text("title")), h("p", { class: "lead" }, text("lead")), said, list, acts);
if (tournament === null) askForFile();
else {
  const board = `${origin}/tournaments/leaderboard/${tournament}`;
  main.append(link(text("back"), board, { icon: "leave", kind: "wide" }));
  void load(tournament);
}

/** Loads the proof of a tournament, and checks it. */
async function load(id: string): Promise<void> {
  say(text("loading"));
  acts.replaceChildren();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT);
  try {
    const response = await fetch(`${origin}/api/tournaments/${id}/proof`, {
      credentials: "omit",
      signal: abort.signal,
    });
    // A slow line may take longer for the runs.
    clearTimeout(timer);
    if (response.status === 404) return say(text("unknown"));
    if (!response.ok) throw new Error(`The proof did not load: ${response.status}.`);
    await check(await response.text());
  } catch {
    say(text("failed"));
    acts.replaceChildren(button(text("retry"), () => void load(id), { icon: "again", kind: "go wide" }));
  } finally {
    clearTimeout(timer);
  }
}

/** Lets the player choose a proof that was kept. */
function askForFile(): void {
  const chooser = h("input", { type: "file", accept: "application/json,.json" });
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    if (file)
      void file
        .text()
        .then(check)
        .catch(() => say(text("notProof")));
  });
  acts.append(h("label", { class: "btn go wide" }, text("choose"), chooser));
}

async function check(file: string): Promise<void> {
  list.replaceChildren();
  const proof = readProof(parse(file));
  if (proof === "open") return say(text("open"));
  if (proof === null) return say(text("notProof"));
  say(text("checking"));
  show(await checkResult(proof), proof, file);
}

function show({ sealed, ordered, places }: Checked, proof: Proof, file: string): void {
  const replayed = places.filter(({ verdict }) => verdict !== "none");
  const isRight = sealed && ordered && places.every(({ verdict }) => verdict !== "wrong");
  if (replayed.length === 0 && isRight) say(text("nothing"));
  else if (!isRight) say(text("wrong"), "bad");
  else say(text("right", rightOf(replayed.length, places.length)), "good");
  list.replaceChildren(
    h("ol", {}, ...places.map(row)),
    ordered ? "" : line("bad", text("notOrdered")),
    line(sealed ? "good" : "bad", text(sealed ? "sealed" : "notSealed")),
    details(proof, file),
  );
}

/** How many of the runs were replayed: 3, or 2 of 3. */
function rightOf(replayed: number, all: number): string {
  return replayed === all ? String(all) : `${text("of", replayed)} ${all}`;
}

function row({ rank, points, verdict }: CheckedPlace): HTMLElement {
  const kinds = { right: "good", wrong: "bad", none: "none" } as const;
  const words = { right: "isRight", wrong: "isWrong", none: "isNone" } as const;
  return h(
    "li",
    { class: kinds[verdict] },
    h("b", { class: "num" }, ordinal(rank, language)),
    h("span", { class: "num" }, text("points", formatNumber(points))),
    h("span", { class: "word" }, verdict === "right" && icon("shield"), text(words[verdict])),
  );
}

function line(kind: string, words: string): HTMLElement {
  return h("p", { class: `line ${kind}` }, icon(kind === "good" ? "shield" : "x"), words);
}

function details({ seal, rulesSha256 }: Proof, file: string): HTMLElement {
  const url = URL.createObjectURL(new Blob([file], { type: "application/json" }));
  return h(
    "details",
    {},
    h("summary", {}, text("details")),
    h("p", {}, text("detailsText")),
    h(
      "dl",
      {},
      h("dt", {}, text("seal")),
      h("dd", {}, seal),
      h("dt", {}, text("rules")),
      h("dd", {}, rulesSha256),
    ),
    h("a", { class: "btn wide", href: url, download: `playon-${tournament ?? "result"}.json` }, text("keep")),
  );
}

function say(words: string, kind = ""): void {
  said.className = `verdict ${kind}`;
  said.replaceChildren(kind === "good" ? icon("shield") : "", words);
}

function parse(file: string): unknown {
  try {
    return JSON.parse(file);
  } catch {
    return null;
  }
}
