import styles from "./Video.module.css";

interface VideoProps {
  /** The 11-character id of the video. */
  readonly id: string;
  readonly title: string;
}

/**
 * The player of a YouTube video, which starts at once: show it only after a tap. It uses the domain without cookies,
 * which the gateway's Content-Security-Policy allows for frames.
 */
export function Video({ id, title }: VideoProps) {
  const options = new URLSearchParams({ autoplay: "1", playsinline: "1", rel: "0" });
  return (
    <iframe
      className={styles.video}
      src={`https://www.youtube-nocookie.com/embed/${id}?${options}`}
      title={title}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      allowFullScreen
      // The player refuses to start when it cannot see which site embeds it.
      referrerPolicy="strict-origin-when-cross-origin"
    />
  );
}
