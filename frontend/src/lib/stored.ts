import * as z from "zod/mini";
import type { Store } from "@/lib/storage";

/** Reads the value under a key of a storage; null when there is none, or when it does not match the shape. */
export function readStored<S extends z.ZodMiniType>(
  storage: Store,
  key: string,
  shape: S,
): z.output<S> | null {
  try {
    const parsed = z.safeParse(shape, JSON.parse(storage.getItem(key) ?? "null"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
