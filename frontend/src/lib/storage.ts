import * as z from "zod/mini";

/** The value that a storage holds under a key; null when there is none, or when it has not the shape. */
export function readStored<S extends z.ZodMiniType>(
  storage: Storage,
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
