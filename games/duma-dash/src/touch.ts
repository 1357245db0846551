/** A finger that has moved down this far (in CSS pixels) slides; one that rests or lifts jumps. */
const SLIDE_DISTANCE = 9;
/** How long a touch may still become a swipe, in ms: three ticks, short enough to feel immediate. */
const DECIDE_AFTER = 48;

/** Calls `jump` on a tap and `slide` on a swipe down. Every touch is exactly one of the two; a swipe up jumps too. */
export function listenForGestures(element: HTMLElement, actions: { jump(): void; slide(): void }): void {
  let pointer = -1;
  let startY = 0;
  let timer = 0;

  const decide = (action: () => void): void => {
    clearTimeout(timer);
    timer = 0;
    pointer = -1;
    action();
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (timer) decide(actions.jump);
    pointer = event.pointerId;
    startY = event.clientY;
    timer = window.setTimeout(() => decide(actions.jump), DECIDE_AFTER);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId !== pointer) return;
    const down = event.clientY - startY;
    if (down > SLIDE_DISTANCE) decide(actions.slide);
    else if (down < -SLIDE_DISTANCE) decide(actions.jump);
  });
  const lift = (event: PointerEvent): void => {
    if (event.pointerId === pointer && timer) decide(actions.jump);
  };
  element.addEventListener("pointerup", lift);
  element.addEventListener("pointercancel", () => {
    clearTimeout(timer);
    timer = 0;
    pointer = -1;
  });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}
