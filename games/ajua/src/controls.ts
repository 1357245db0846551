import type { Layout } from "./layout";
import { PITS, ROW } from "./state";
import type { Say } from "./texts";

export interface Hands {
  /** Called when a finger, the mouse or the focus rests on a pit, or on none. */
  rest(pit: number | undefined): void;
  /** Called when a pit was chosen. */
  play(pit: number): void;
  /** Called on a touch while seeds move. Returns whether the touch was used. */
  interrupt(): boolean;
}

/** How long after a touch its click is the same gesture, in milliseconds. */
const SAME_GESTURE = 500;

/** The player's pits as buttons: a finger slides over them and lets go, keys walk along them. The computer's are named for screen readers. */
export class Controls {
  private readonly area = document.createElement("div");
  private readonly mine: HTMLButtonElement[] = [];
  private readonly theirs: HTMLElement[] = [];
  private layout: Layout | undefined;
  private pointer: number | undefined;
  private under: number | undefined;
  private touched = 0;
  private enabled = false;

  constructor(
    root: HTMLElement,
    private readonly say: Say,
    private readonly hands: Hands,
  ) {
    this.area.className = "pits";
    this.area.setAttribute("role", "group");
    for (let pit = 0; pit < ROW; pit++) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.pit = String(pit);
      button.tabIndex = pit === 0 ? 0 : -1;
      button.addEventListener("click", () => {
        if (performance.now() - this.touched > SAME_GESTURE) this.choose(pit);
      });
      button.addEventListener("focus", () => {
        this.mine.forEach((other, index) => {
          other.tabIndex = index === pit ? 0 : -1;
        });
        if (button.matches(":focus-visible") && this.pointer === undefined) this.restOn(pit);
      });
      button.addEventListener("blur", () => this.restOn(undefined));
      this.mine.push(button);
    }
    for (let pit = ROW; pit < PITS; pit++) {
      const picture = document.createElement("div");
      picture.className = "their-pit";
      picture.setAttribute("role", "img");
      this.theirs.push(picture);
    }
    this.area.append(...this.mine, ...this.theirs);
    root.append(this.area);
    this.area.addEventListener("pointerdown", this.onDown);
    this.area.addEventListener("pointermove", this.onMove);
    this.area.addEventListener("pointerup", this.onUp);
    this.area.addEventListener("pointercancel", this.onCancel);
    this.area.addEventListener("pointerleave", this.onCancel);
    this.area.addEventListener("contextmenu", (event) => event.preventDefault());
    this.area.addEventListener("keydown", this.onKey);
  }

  place(layout: Layout): void {
    this.layout = layout;
    const { board, pitch, radius } = layout;
    const middle = layout.width / 2;
    const set = (element: HTMLElement, x: number, y: number, width: number): void => {
      element.style.cssText = `left:${x}px;top:${y - pitch / 2}px;width:${width}px;height:${pitch}px`;
      element.style.setProperty("--pit", `${radius * 2}px`);
    };
    const width = board.width / 2;
    this.mine.forEach((button, pit) => {
      set(button, middle, layout.pits[pit]?.y ?? 0, width);
      button.style.setProperty("--at", `${(layout.pits[pit]?.x ?? 0) - middle}px`);
    });
    this.theirs.forEach((picture, index) => {
      set(picture, middle - width, layout.pits[ROW + index]?.y ?? 0, width);
    });
  }

  /** Names the pits, and says which can be played. */
  update(pits: readonly number[], enabled: boolean): void {
    this.enabled = enabled;
    this.mine.forEach((button, pit) => {
      const seeds = pits[pit] ?? 0;
      button.setAttribute("aria-label", this.say("myPit", { pit: pit + 1, n: seeds }));
      button.setAttribute("aria-disabled", String(!enabled || seeds === 0));
    });
    this.theirs.forEach((picture, index) => {
      picture.setAttribute("aria-label", this.say("itsPit", { pit: index + 1, n: pits[ROW + index] ?? 0 }));
    });
    if (!enabled) return;
    // A pit that got the focus during the computer's turn gets its hint now.
    const focused = this.mine.findIndex((button) => button.matches(":focus-visible"));
    if (focused >= 0 && this.pointer === undefined) this.restOn(focused);
  }

  /** Describes the pit that the hint is for. */
  describe(pit: number, text: string): void {
    this.mine[pit]?.setAttribute("aria-description", text);
  }

  private pitAt(event: PointerEvent): number | undefined {
    const { layout } = this;
    if (!layout) return undefined;
    const origin = this.area.getBoundingClientRect();
    const x = event.clientX - origin.x;
    const y = event.clientY - origin.y;
    const middle = layout.width / 2;
    if (x < middle - 2 || x > middle + layout.board.width / 2 + 26) return undefined;
    const pit = ROW - 1 - Math.floor((y - (layout.pits[ROW - 1]?.y ?? 0)) / layout.pitch + 0.5);
    return pit >= 0 && pit < ROW ? pit : undefined;
  }

  private readonly onDown = (event: PointerEvent): void => {
    this.touched = performance.now();
    if (event.button !== 0 || this.hands.interrupt()) return;
    this.pointer = event.pointerId;
    this.area.setPointerCapture?.(event.pointerId);
    this.restOn(this.pitAt(event));
  };

  private readonly onMove = (event: PointerEvent): void => {
    const hovers = event.pointerType === "mouse" && event.buttons === 0;
    if (event.pointerId === this.pointer || hovers) this.restOn(this.pitAt(event));
  };

  private readonly onUp = (event: PointerEvent): void => {
    this.touched = performance.now();
    if (event.pointerId !== this.pointer) return;
    this.pointer = undefined;
    const pit = this.pitAt(event);
    this.restOn(undefined);
    if (pit !== undefined) this.choose(pit);
  };

  private readonly onCancel = (event: PointerEvent): void => {
    if (this.pointer !== undefined && event.pointerId !== this.pointer) return;
    if (event.type === "pointerleave" && this.pointer !== undefined) return;
    this.pointer = undefined;
    this.restOn(undefined);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const from = this.mine.findIndex((button) => button === document.activeElement);
    const step =
      event.key === "ArrowUp" || event.key === "ArrowRight"
        ? 1
        : event.key === "ArrowDown" || event.key === "ArrowLeft"
          ? -1
          : 0;
    if (step === 0 || from < 0) return;
    event.preventDefault();
    this.mine[(from + step + ROW) % ROW]?.focus();
  };

  private restOn(pit: number | undefined): void {
    if (pit === this.under && pit === undefined) return;
    this.under = pit;
    this.hands.rest(this.enabled ? pit : undefined);
  }

  private choose(pit: number): void {
    if (this.enabled) this.hands.play(pit);
    else this.hands.interrupt();
  }
}
