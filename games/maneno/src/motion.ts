export function wait(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Moves the word from its line to its chip, which appears only then. */
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

const SPARKS = ["#ffb224", "#3ddc97", "#fff6e4", "#7cc4ff", "#ff6b5e"];

/** Small tiles fly off the letters of a long word. */
export function burst(stage: HTMLElement, tiles: readonly HTMLElement[], cells: readonly number[]): void {
  const base = stage.getBoundingClientRect();
  cells.forEach((cell, index) => {
    const box = tiles[cell]?.getBoundingClientRect();
    if (!box) return;
    for (let part = 0; part < 3; part++) {
      const spark = document.createElement("i");
      spark.className = "spark";
      spark.style.left = `${box.left - base.left + box.width / 2}px`;
      spark.style.top = `${box.top - base.top + box.height / 2}px`;
      spark.style.background = SPARKS[(index + part) % SPARKS.length] ?? "#fff";
      stage.append(spark);
      const angle = index * 1.9 + part * 2.1;
      const reach = 46 + ((index * 37 + part * 53) % 60);
      const x = Math.cos(angle) * reach;
      const y = Math.sin(angle) * reach - 24;
      const flight = spark.animate(
        [
          { transform: "translate(-50%, -50%) scale(0.4)", opacity: 1 },
          {
            transform: `translate(calc(-50% + ${x}px), calc(-50% + ${y}px)) rotate(${angle}rad)`,
            opacity: 1,
            offset: 0.6,
          },
          {
            transform: `translate(calc(-50% + ${x * 1.2}px), calc(-50% + ${y + 60}px)) rotate(${angle * 2}rad) scale(0.5)`,
            opacity: 0,
          },
        ],
        { duration: 800, easing: "cubic-bezier(0.15, 0.7, 0.4, 1)", delay: index * 28, fill: "both" },
      );
      flight.addEventListener("finish", () => spark.remove());
      flight.addEventListener("cancel", () => spark.remove());
    }
  });
}

/** Shows a word of praise over the board. */
export function praise(board: HTMLElement, text: string): void {
  const element = document.createElement("b");
  element.className = "praise";
  element.textContent = text;
  element.setAttribute("aria-hidden", "true");
  element.addEventListener("animationend", () => element.remove());
  board.append(element);
}
