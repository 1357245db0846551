/** `AbortSignal.throwIfAborted`, of Chrome 100. It is not in `platform.ts`, which the first view loads. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DOMException("The call was given up.", "AbortError");
}
