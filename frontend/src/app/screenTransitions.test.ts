import { expect, test, vi } from "vitest";
import { allowSkippedTransitions } from "./screenTransitions";

test("a skipped transition is no fault, and its update goes on", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const skipped = new DOMException("Transition was skipped", "AbortError");
  const page = {
    startViewTransition(update: () => void) {
      update();
      return { ready: Promise.reject(skipped), finished: Promise.resolve() };
    },
  } as unknown as Document;
  allowSkippedTransitions(page);

  const update = vi.fn();
  const { ready, finished } = page.startViewTransition(update);
  await finished;
  // Node reports an unhandled rejection after the microtasks of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(update).toHaveBeenCalledOnce();
  expect(unhandled).not.toHaveBeenCalled();
  await expect(ready).rejects.toBe(skipped);
  process.off("unhandledRejection", unhandled);
});

test("a browser without screen transitions stays as it is", () => {
  const page = {} as Document;
  allowSkippedTransitions(page);
  expect(page.startViewTransition).toBeUndefined();
});
