export function wait(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** The word leaves its line and lands on its chip, which shows only then. */
export function fly(stage: HTMLElement, from: HTMLElement, to: HTMLElement, text: string): void {
  const start = from.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  const base = stage.getBoundingClientRect();
  const bird = document.createElement("span");
  bird.className = "bird";
  bird.textContent = text;
  bird.setAttribute("aria-hidden", "true");
  bird.style.left = `${start.left - base.left + start.width / 2}px`;
  bird.style.top = `${start.top - base.top + start.height / 2}px`;
  stage.append(bird);
  to.style.opacity = "0";
  const x = end.left + end.width / 2 - start.left - start.width / 2;
  const y = end.top + end.height / 2 - start.top - start.height / 2;
  const flight = bird.animate(
    [
      { transform: "translate(-50%, -50%) scale(1)", opacity: 1 },
      { transform: "translate(-50%, -50%) scale(1.12)", opacity: 1, offset: 0.3 },
      { transform: `translate(calc(-50% + ${x}px), calc(-50% + ${y}px)) scale(0.42)`, opacity: 0.9 },
    ],
    { duration: 460, easing: "cubic-bezier(0.5, 0, 0.3, 1)", delay: 160, fill: "backwards" },
  );
  const land = (): void => {
    bird.remove();
    to.style.opacity = "";
    to.classList.add("landed");
  };
  flight.addEventListener("finish", land);
  flight.addEventListener("cancel", land);
}
