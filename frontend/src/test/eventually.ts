import { vi } from "vitest";

/** How long a test waits for what must happen, in milliseconds: on a machine that also compiles, a moment is long. */
export const PATIENCE_MS = 15_000;

/** Waits until a check passes. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS });
}
