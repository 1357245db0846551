import { h } from "@sdk/dom";
import type { Language } from "@sdk/types";
import { say } from "../texts";
import { cellAt, cellsAlong, follow, type Point } from "./path";
import { CELLS, SIDE, Standing } from "./state";

export interface BoardListener {
  /** Called with the way that the finger has drawn so far. */
  changed(path: number[]): void;
  /** Called when the word is complete. */
  submitted(): void;
}

const SVG = "http://www.w3.org/2000/svg";

function svg(tag: string, className: string): SVGElement {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("class", className);
  return element;
}

/** The letters: tiles in two layers, with the trail between a tile's face and its letter, and the finger's gestures. */
export class Board {
  readonly element: HTMLElement;
  readonly cells: HTMLButtonElement[] = [];
  private readonly backs: HTMLElement[] = [];
  private readonly trail = svg("polyline", "trail");
  private readonly leash = svg("line", "trail");
  private readonly ring = svg("circle", "ring");
  private path: readonly number[] = [];
  private standing = 0;
  private finger: { id: number; at: Point; pressed: number; before: number; dragging: boolean } | null = null;
  enabled = false;

  constructor(
    private readonly language: Language,
    private readonly listener: BoardListener,
  ) {
    const overlay = svg("svg", "overlay");
    overlay.setAttribute("viewBox", `0 0 ${SIDE} ${SIDE}`);
    overlay.setAttribute("aria-hidden", "true");
    overlay.append(this.trail, this.leash, this.ring);
    this.element = h("div", { class: "board covered", role: "group", "aria-label": say(language, "board") });
    const backs = h("div", { class: "layer", "aria-hidden": "true" });
    const faces = h("div", { class: "layer" });
    for (let cell = 0; cell < CELLS; cell++) {
      const back = h("i", { class: "back" });
      const face = h("button", { type: "button", class: "face", tabindex: cell === 12 ? 0 : -1 });
      // The tiles turn over one after another, from the middle outwards.
      const delay = `${Math.round(Math.hypot((cell % SIDE) - 2, Math.floor(cell / SIDE) - 2) * 55)}ms`;
      for (const element of [back, face]) element.style.setProperty("--delay", delay);
      this.backs.push(back);
      this.cells.push(face);
      backs.append(back);
      faces.append(face);
      // A screen reader or a switch clicks without a pointer.
      face.addEventListener("click", (event) => {
        if (event.detail === 0) this.tap(cell);
      });
    }
    this.element.append(backs, overlay, faces);
    this.element.addEventListener("pointerdown", this.onDown);
    this.element.addEventListener("pointermove", this.onMove);
    this.element.addEventListener("pointerup", this.onUp);
    this.element.addEventListener("pointercancel", this.onCancel);
  }

  setLetters(letters: readonly string[]): void {
    this.cells.forEach((face, cell) => {
      const letter = letters[cell] ?? "";
      face.textContent = letter;
      const place = { letter, row: Math.floor(cell / SIDE) + 1, column: (cell % SIDE) + 1 };
      face.setAttribute("aria-label", say(this.language, "cell", place));
    });
  }

  /** Shows the letters, or covers them (before the start and in the pause). */
  cover(covered: boolean): void {
    const was = this.element.classList.contains("covered");
    this.element.classList.toggle("covered", covered);
    if (covered || !was) return;
    this.element.classList.add("opening");
    setTimeout(() => this.element.classList.remove("opening"), 600);
  }

  draw(path: readonly number[], standing: number): void {
    const before = this.path;
    const same = standing === this.standing;
    this.path = path;
    this.standing = standing;
    for (let cell = 0; cell < CELLS; cell++) {
      const place = path.indexOf(cell);
      if (place < 0 && !before.includes(cell)) continue;
      const tip = place >= 0 && place === path.length - 1;
      if (same && place >= 0 && before[place] === cell && tip === (place === before.length - 1)) continue;
      const classes = {
        on: place >= 0,
        word: place >= 0 && standing === Standing.Word,
        old: place >= 0 && standing === Standing.FoundBefore,
        tip,
      };
      for (const element of [this.backs[cell], this.cells[cell]])
        for (const [name, is] of Object.entries(classes)) element?.classList.toggle(name, is);
      this.cells[cell]?.setAttribute("aria-pressed", String(place >= 0));
    }
    this.trail.setAttribute("points", path.map(middle).join(" "));
    this.drawFinger();
  }

  /** Sets a class on some tiles for a short time: `good`, `bad`, `shown`. */
  flash(cells: readonly number[], name: string, milliseconds: number, step = 0): void {
    cells.forEach((cell, index) => {
      for (const element of [this.backs[cell], this.cells[cell]]) {
        if (!element) continue;
        setTimeout(() => {
          element.classList.remove(name);
          void element.offsetWidth;
          element.classList.add(name);
          if (milliseconds > 0) setTimeout(() => element.classList.remove(name), milliseconds);
        }, index * step);
      }
    });
  }

  forget(): void {
    for (const element of [...this.backs, ...this.cells])
      element.classList.remove("good", "bad", "again", "hint", "shown");
    this.finger = null;
    this.draw([], 0);
  }

  get dragging(): boolean {
    return this.finger?.dragging ?? false;
  }

  /** Enters one letter without a drag. Tapping the last letter again submits the word. */
  tap(cell: number): void {
    if (!this.enabled) return;
    if (cell === this.path[this.path.length - 1]) {
      if (this.path.length > 1) this.listener.submitted();
      else this.listener.changed([]);
      return;
    }
    const next = follow(this.path, cell);
    this.listener.changed(next[next.length - 1] === cell ? next : [cell]);
  }

  moveFocus(columns: number, rows: number): void {
    const active = this.cells.indexOf(document.activeElement as HTMLButtonElement);
    const from = active < 0 ? 12 : active;
    const column = Math.min(SIDE - 1, Math.max(0, (from % SIDE) + columns));
    const row = Math.min(SIDE - 1, Math.max(0, Math.floor(from / SIDE) + rows));
    const to = active < 0 ? from : row * SIDE + column;
    this.cells.forEach((face, cell) => {
      face.tabIndex = cell === to ? 0 : -1;
    });
    this.cells[to]?.focus();
  }

  private point(event: PointerEvent): Point {
    const box = (this.element.firstElementChild as HTMLElement).getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * SIDE,
      y: ((event.clientY - box.top) / box.height) * SIDE,
    };
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (!this.enabled || this.finger || (event.pointerType === "mouse" && event.button !== 0)) return;
    const at = this.point(event);
    const cell = cellAt(at);
    if (cell === null) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.finger = { id: event.pointerId, at, pressed: cell, before: this.path.length, dragging: false };
    // If letters were chosen by taps before, the touch counts as a tap until it moves.
    if (this.path.length === 0) this.listener.changed([cell]);
    this.drawFinger();
  };

  private readonly onMove = (event: PointerEvent): void => {
    const finger = this.finger;
    if (finger?.id !== event.pointerId) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const part of events.length > 0 ? events : [event]) {
      const at = this.point(part);
      for (const cell of cellsAlong(finger.at, at)) this.enter(cell);
      finger.at = at;
    }
    this.drawFinger();
  };

  private enter(cell: number): void {
    const finger = this.finger;
    if (!finger || (!finger.dragging && cell === finger.pressed)) return;
    const start = finger.dragging ? this.path : [finger.pressed];
    finger.dragging = true;
    this.listener.changed(follow(start, cell));
  }

  private readonly onUp = (event: PointerEvent): void => {
    const finger = this.finger;
    if (finger?.id !== event.pointerId) return;
    this.finger = null;
    if (finger.dragging) {
      if (this.path.length > 1) this.listener.submitted();
      else this.listener.changed([]);
    } else if (finger.before > 0) this.tap(finger.pressed);
    this.drawFinger();
  };

  private readonly onCancel = (event: PointerEvent): void => {
    if (this.finger?.id !== event.pointerId) return;
    this.finger = null;
    this.listener.changed([]);
  };

  private drawFinger(): void {
    const last = this.path[this.path.length - 1];
    const finger = this.finger;
    const shown = finger !== null && last !== undefined;
    this.element.classList.toggle("word", this.standing === Standing.Word);
    for (const element of [this.leash, this.ring]) element.style.display = shown ? "" : "none";
    if (!shown) return;
    const x = Math.min(SIDE, Math.max(0, finger.at.x));
    const y = Math.min(SIDE, Math.max(0, finger.at.y));
    this.leash.setAttribute("x1", String((last % SIDE) + 0.5));
    this.leash.setAttribute("y1", String(Math.floor(last / SIDE) + 0.5));
    this.leash.setAttribute("x2", x.toFixed(3));
    this.leash.setAttribute("y2", y.toFixed(3));
    this.ring.setAttribute("cx", x.toFixed(3));
    this.ring.setAttribute("cy", y.toFixed(3));
    this.ring.setAttribute("r", "0.54");
  }
}

function middle(cell: number): string {
  return `${(cell % SIDE) + 0.5},${Math.floor(cell / SIDE) + 0.5}`;
}
