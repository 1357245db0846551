import type { Result } from "../../sdk/types";
import { opponentOf } from "./opponents";
import { Outcome, type State } from "./state";
import type { Say, TextKey } from "./texts";

/** The worst move: what another pit would have caught more. */
export interface Missed {
  move: number;
  pit: number;
  seeds: number;
}

function element(tag: string, className: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function row(text: string, points: number): HTMLElement {
  const made = element("li", "ajua-row");
  made.append(element("b", "", `+${points.toLocaleString("en-UK")}`), element("span", "", text));
  return made;
}

function tip(title: string, text: string): HTMLElement {
  const made = element("div", "ajua-tip");
  made.innerHTML =
    '<svg viewBox="0 0 88 56" aria-hidden="true"><rect y="4" width="88" height="52" rx="16" fill="#4a210a"/><rect width="88" height="52" rx="16" fill="#d98a35"/><path d="M0 16A16 16 0 0 1 16 0h56a16 16 0 0 1 16 16v10H0Z" fill="#a65b20"/><g fill="#45200b"><circle cx="18" cy="14" r="9"/><circle cx="44" cy="14" r="9"/><circle cx="70" cy="14" r="9"/><circle cx="18" cy="38" r="9"/><circle cx="44" cy="38" r="9"/><circle cx="70" cy="38" r="9"/></g><g fill="#ffb224"><circle cx="67" cy="11" r="3.4"/><circle cx="74" cy="13" r="3.4"/><circle cx="69" cy="18" r="3.4"/></g><g fill="#fff1d6"><circle cx="15" cy="36" r="3.4"/><circle cx="21" cy="40" r="3.4"/></g><circle cx="70" cy="38" r="9.5" fill="none" stroke="#3ddc97" stroke-width="3"/><path d="M22 42c10 10 32 10 44 2" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-dasharray="0 6"/></svg>';
  const words = element("div", "");
  words.append(element("b", "", title), element("span", "", text));
  made.append(words);
  return made;
}

/** Returns Ajua's part of the result screen: both counts, the sources of the points, and a tip after a loss. */
export function resultOf(state: State, missed: Missed | undefined, say: Say): Result {
  const [mine, theirs] = state.caught;
  const won = state.outcome === Outcome.Won;
  const name = opponentOf(state.strength)?.name ?? say("opponent");
  const card = element("section", "ajua-result");
  const versus = element("p", "ajua-versus");
  versus.setAttribute("aria-label", `${say("you")} ${mine}, ${name} ${theirs}`);
  const left = element("span", "");
  left.append(element("b", "", String(mine)), element("small", "", say("you")));
  const right = element("span", "");
  right.append(element("b", "", String(theirs)), element("small", "", name));
  versus.append(left, element("i", "", ":"), right);
  card.append(versus);
  if (won) {
    const list = element("ul", "ajua-rows");
    list.append(
      row(say("seeds", { n: mine }), state.seedPoints),
      row(say("lead", { n: mine - theirs }), state.leadPoints),
    );
    if (state.quickPoints > 0) list.append(row(say("quick", { n: state.moves }), state.quickPoints));
    card.append(list);
  } else if (missed && missed.seeds >= 3) {
    card.append(
      tip(say("missed", { move: missed.move, n: missed.seeds }), say("missedHow", { pit: missed.pit })),
    );
  } else {
    card.append(tip(say("tip"), say("tipHow")));
  }
  const { ribbon, mood } = verdictOf(state);
  return { ribbon: say(ribbon), mood, card };
}

/** Returns the words and the mood that a game ends with. */
export function verdictOf({ outcome, caught: [mine, theirs] }: Pick<State, "outcome" | "caught">): {
  ribbon: TextKey;
  mood: NonNullable<Result["mood"]>;
} {
  if (outcome === Outcome.Won) return { ribbon: "won", mood: "cheer" };
  if (outcome === Outcome.Drawn) return { ribbon: "drawn", mood: "wave" };
  return { ribbon: theirs - mine <= 6 ? "close" : "lost", mood: "sulk" };
}
