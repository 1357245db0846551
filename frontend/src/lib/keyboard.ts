/**
 * Calls `onChange` with the height that the phone's keyboard covers of the page. Most browsers lay the keyboard over the
 * page, which keeps its size. Returns a function that stops the calls.
 */
export function followKeyboard(onChange: (covered: number) => void): () => void {
  const view = window.visualViewport;
  if (!view) return () => {};
  const update = () => {
    // Zoom makes the visible part smaller, too.
    const isZoomed = view.scale > 1.01;
    const covered = window.innerHeight - view.height - view.offsetTop;
    onChange(isZoomed ? 0 : Math.max(0, Math.round(covered)));
  };
  view.addEventListener("resize", update);
  view.addEventListener("scroll", update);
  return () => {
    view.removeEventListener("resize", update);
    view.removeEventListener("scroll", update);
  };
}
