import "@testing-library/jest-dom/vitest";
import "@/app/firstTexts";
import "@/app/texts";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

// jsdom has no AbortSignal.timeout, and fake timers could not control a native one.
AbortSignal.timeout ??= (ms: number) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException("timed out", "TimeoutError")), ms);
  return controller.signal;
};

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, "", "/");
});
