/** A URL that a window may be sent to: http or https only, because operators' content contains it. */
export function webUrl(url: string): URL | null {
  try {
    const parsed = new URL(url, window.location.origin);
    return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed : null;
  } catch {
    return null;
  }
}
