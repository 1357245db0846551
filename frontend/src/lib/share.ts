export interface Shared {
  readonly title: string;
  readonly text: string;
  readonly url?: string;
  /** A picture, which is left out where the share sheet takes none. */
  readonly picture?: File | null;
}

/**
 * Opens the share sheet after a tap; without a sheet, copies the text and the URL. Returns what has happened: `closed`
 * if the player closed the sheet, `failed` if nothing was possible.
 */
export async function share({
  title,
  text,
  url,
  picture,
}: Shared): Promise<"shared" | "copied" | "closed" | "failed"> {
  // TypeScript's DOM types declare these as always present.
  const { share: sheet, canShare, clipboard, userActivation } = navigator as Partial<Navigator>;
  // A page in a frame may ask for this without a tap of the player.
  if (userActivation?.isActive === false) return "failed";
  const files = picture ? [picture] : [];
  const takesFiles = files.length > 0 && canShare?.call(navigator, { files });
  try {
    if (sheet) {
      await navigator.share({ title, text, ...(url ? { url } : {}), ...(takesFiles ? { files } : {}) });
      return "shared";
    }
  } catch (cause) {
    // Another sheet may be open already.
    if (cause instanceof DOMException && ["AbortError", "InvalidStateError"].includes(cause.name))
      return "closed";
  }
  try {
    if (!clipboard) return "failed";
    await clipboard.writeText(url ? `${text} ${url}` : text);
    return "copied";
  } catch {
    return "failed";
  }
}
