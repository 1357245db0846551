import type { Box } from "./layout";
import { opponentOf } from "./opponents";
import { GOAL, type Side } from "./state";
import type { Say, TextKey } from "./texts";

const BOT =
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"><path d="M12 8V4H8"/><rect width="16" height="12" x="4" y="8" rx="2"/><path d="M2 14h2M20 14h2M15 13v2M9 13v2"/></svg>';
const DUMA =
  '<svg viewBox="-68 -72 136 136"><g fill="#ffb224"><circle cx="-46" cy="-41" r="19"/><circle cx="46" cy="-41" r="19"/></g><g fill="#ff6b5e"><circle cx="-47" cy="-43" r="10"/><circle cx="47" cy="-43" r="10"/></g><path d="M0-54C35-54 57-38 61-10 66 26 42 52 0 52S-66 26-61-10C-57-38-35-54 0-54Z" fill="#ffb224"/><g fill="#fff1d6"><ellipse cx="-27" cy="-8" rx="16" ry="18"/><ellipse cx="27" cy="-8" rx="16" ry="18"/><ellipse cy="26" rx="35" ry="23"/></g><path d="M-20-2c0 10 0 16-5 22-6 6-9 11-7 18 1 3 5 2 5-1 0-5 3-9 7-13 7-8 8-16 6-26-1-3-6-3-6 0ZM20-2c0 10 0 16 5 22 6 6 9 11 7 18-1 3-5 2-5-1 0-5-3-9-7-13-7-8-8-16-6-26 1-3 6-3 6 0Z" fill="#1b1426"/><g fill="#1b1426"><ellipse cx="-26" cy="-6" rx="10.5" ry="12.5"/><ellipse cx="26" cy="-6" rx="10.5" ry="12.5"/><ellipse cy="-40" rx="4" ry="5.5"/></g><g fill="#fff"><circle cx="-22.5" cy="-10.5" r="4"/><circle cx="29.5" cy="-10.5" r="4"/></g><path d="M-10 11c0-4 20-4 20 0S4 21 0 21-10 15-10 11Z" fill="#ff6b5e"/><path d="M0 21v6M-13 28c0 9 13 9 13-1 0 10 13 10 13 1" fill="none" stroke="#1b1426" stroke-width="4" stroke-linecap="round"/></svg>';

/** The strength as bars out of three. */
export function forceBars(strength: number): HTMLElement {
  const force = document.createElement("span");
  force.className = "force";
  force.setAttribute("aria-hidden", "true");
  for (let bar = 1; bar <= 3; bar++) {
    const mark = document.createElement("i");
    if (bar <= strength) mark.className = "on";
    force.append(mark);
  }
  return force;
}

/** A player's panel: face, name, a line of what happens, the bowl (drawn by the stage), seeds caught, and the way to the goal. */
export class Panel {
  readonly element = document.createElement("section");
  private readonly face = document.createElement("span");
  private readonly title = document.createElement("b");
  private readonly line = document.createElement("span");
  private readonly bowl = document.createElement("span");
  private readonly number = document.createElement("b");
  private readonly bar = document.createElement("i");
  private count = -1;

  constructor(
    private readonly side: Side,
    private readonly say: Say,
  ) {
    this.element.className = side === 0 ? "side mine" : "side theirs";
    this.element.setAttribute("aria-label", say(side === 0 ? "you" : "opponent"));
    this.face.className = "face";
    this.face.innerHTML = side === 0 ? DUMA : BOT;
    this.face.setAttribute("aria-hidden", "true");
    const words = document.createElement("span");
    words.className = "words";
    this.line.className = "line";
    words.append(this.title, this.line);
    this.bowl.className = "bowl";
    this.number.className = "number";
    const track = document.createElement("span");
    track.className = "track";
    track.setAttribute("aria-hidden", "true");
    track.append(this.bar);
    this.element.append(this.face, words, this.bowl, this.number, track);
    this.caught(0);
  }

  /** Returns the box in which the stage draws the bowl, relative to the view's corner. */
  bowlBox(origin: DOMRect): Box {
    const box = this.bowl.getBoundingClientRect();
    return { x: box.x - origin.x, y: box.y - origin.y, width: box.width, height: box.height };
  }

  caught(count: number): void {
    if (count === this.count) return;
    this.count = count;
    this.number.textContent = String(count);
    this.bar.style.transform = `scaleX(${Math.min(1, count / GOAL)})`;
    this.element.classList.toggle("near", count >= GOAL - 6 && count < GOAL);
    this.element.classList.toggle("there", count >= GOAL);
  }

  /** Animates the number as seeds come in. */
  hop(): void {
    this.number.getAnimations?.().forEach((animation) => {
      animation.cancel();
    });
    this.number.animate?.([{ transform: "scale(1.35)" }, { transform: "scale(1)" }], {
      duration: 220,
      easing: "ease-out",
    });
  }

  announce(title: TextKey, line: string, active: boolean): void {
    this.title.textContent = this.say(title);
    if (this.line.textContent !== line || this.side === 0) this.line.textContent = line;
    this.element.classList.toggle("active", active);
  }

  /** Shows the opponent's face, and its strength as bars. */
  opponent(strength: number): void {
    const opponent = opponentOf(strength);
    this.element.setAttribute("aria-label", opponent?.name ?? this.say("opponent"));
    this.face.innerHTML = opponent?.face ?? BOT;
    this.line.replaceChildren(forceBars(strength));
  }

  /** Writes that the opponent sows, or else its name; nothing until one is chosen. */
  opponentTurn(strength: number, sows: boolean): void {
    this.title.textContent = sows ? this.say("itSows") : (opponentOf(strength)?.name ?? "");
    this.element.classList.toggle("active", sows);
  }
}
