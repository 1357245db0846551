/**
 * What the oldest supported browsers lack: Chrome and WebView 92, Samsung Internet 16, Firefox 115, Safari 15.4. A test
 * finds other uses of what they lack.
 */

/** `URL.parse`, of Chrome 126, Firefox 126 and Safari 18. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** `AbortSignal.timeout`, of Chrome 103 and Safari 16. Its reason is an `AbortError`, because Chrome 97 takes no other. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
