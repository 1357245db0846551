import { type Opponent, opponentOf } from "./opponents";
import { forceBars } from "./panels";
import { FIRST_CHOICE } from "./state";
import type { Say } from "./texts";

/** Asks for the opponent when the run's level does not set it: the choice is the run's first input. */
export class Chooser {
  private readonly element = document.createElement("div");

  constructor(
    root: HTMLElement,
    private readonly say: Say,
    private readonly choose: (input: number) => void,
  ) {
    this.element.className = "chooser";
    this.element.hidden = true;
    root.append(this.element);
  }

  /** Renders the texts again, in the current language. */
  speak(): void {
    const { say } = this;
    const card = document.createElement("div");
    card.setAttribute("role", "group");
    card.setAttribute("aria-label", say("choose"));
    const title = document.createElement("h2");
    title.textContent = say("choose");
    card.append(title);
    for (let strength = 1; strength <= 3; strength++) {
      const opponent = opponentOf(strength);
      if (opponent) card.append(this.option(strength, opponent));
    }
    this.element.replaceChildren(card);
  }

  private option(strength: number, opponent: Opponent): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.strength = String(strength);
    const face = document.createElement("span");
    face.className = "face";
    face.setAttribute("aria-hidden", "true");
    face.innerHTML = opponent.face;
    const name = document.createElement("b");
    name.append(opponent.name, forceBars(strength));
    const manner = document.createElement("span");
    manner.textContent = this.say(opponent.manner);
    const worth = document.createElement("small");
    worth.textContent = this.say("worth", { n: strength * 10 });
    const words = document.createElement("span");
    words.className = "words";
    words.append(name, manner, worth);
    button.append(face, words);
    button.addEventListener("click", () => this.choose(FIRST_CHOICE + strength - 1));
    return button;
  }

  open(): void {
    this.element.hidden = false;
    this.element.querySelector("button")?.focus({ preventScroll: true });
  }

  close(): void {
    this.element.hidden = true;
  }
}
