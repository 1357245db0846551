const HOST = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/;
const ID = /^[\w-]{11}$/;
const FOLDERS = ["embed", "shorts", "live", "v"];

function asUrl(link: string): URL | null {
  try {
    return new URL(/^[a-z]+:\/\//i.test(link) ? link : `https://${link}`);
  } catch {
    return null;
  }
}

/**
 * The 11-character id of a YouTube video, from any form of its link: watch?v=, youtu.be/, embed/, shorts/, live/, or the
 * id alone. Null for every other text.
 */
export function youtubeId(link: string | null | undefined): string | null {
  const text = link?.trim() ?? "";
  if (ID.test(text)) return text;
  const url = asUrl(text);
  if (!url || !HOST.test(url.hostname)) return null;
  const [first = "", second = ""] = url.pathname.split("/").filter(Boolean);
  const id =
    url.hostname === "youtu.be"
      ? first
      : FOLDERS.includes(first)
        ? second
        : first === "watch"
          ? (url.searchParams.get("v") ?? "")
          : "";
  return ID.test(id) ? id : null;
}
