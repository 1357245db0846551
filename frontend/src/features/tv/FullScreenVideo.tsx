import "@/ui/worlds.css";
import { useQuery } from "@tanstack/react-query";
import { Play, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { youtubeId } from "@/lib/youtube";
import { Skeleton } from "@/ui/Skeleton";
import { Video } from "@/ui/Video";
import { WorldArt } from "@/ui/WorldArt";
import { worldOf } from "@/ui/world";
import styles from "./FullScreenVideo.module.css";
import { enterFullScreen } from "./fullScreen";
import { tvQuery } from "./queries";

interface FullScreenVideoProps {
  readonly id: string;
  /** Whether the player has tapped Watch now: then the video starts. A page opened by a link waits for a tap. */
  readonly isWanted: boolean;
  readonly onClose: () => void;
  /** Called when the list has no such video. */
  readonly onMissing: () => void;
}

/** A full-screen video. */
export function FullScreenVideo({ id, isWanted, onClose, onMissing }: FullScreenVideoProps) {
  const list = useQuery(tvQuery);
  const item = list.data?.find((each) => each.id === id);
  const video = youtubeId(item?.channelUrl);
  const [isWatching, setWatching] = useState(isWanted);
  useTitle(item?.title ?? t("tv.title"));

  const missing = useEffectEvent(onMissing);
  const isMissing = !list.isPending && !video;
  useEffect(() => {
    if (isMissing) missing();
  }, [isMissing]);

  // The phone's back gesture and Escape end the browser's full screen first: one gesture closes both.
  const isClosed = useRef(false);
  const close = () => {
    if (isClosed.current) return;
    isClosed.current = true;
    onClose();
  };
  const closeByBrowser = useEffectEvent(close);
  useEffect(() => {
    const follow = () => {
      if (!document.fullscreenElement) closeByBrowser();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") closeByBrowser();
    };
    document.addEventListener("fullscreenchange", follow);
    window.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("fullscreenchange", follow);
      window.removeEventListener("keydown", onKey);
    };
  }, []);

  const watch = () => {
    enterFullScreen();
    setWatching(true);
  };
  const name = item?.title ?? t("tv.title");
  return (
    <main className={styles.stage}>
      <h1 className="visually-hidden">{name}</h1>
      {video && item ? (
        isWatching ? (
          <Video id={video} title={item.title} />
        ) : (
          <button
            type="button"
            className={`${styles.poster} w-${worldOf(item.title)}`}
            aria-label={t("tv.play", { title: item.title })}
            onClick={watch}
          >
            <WorldArt world={worldOf(item.title)} className={styles.picture} />
            <span className={styles.knob}>
              <Play size={36} fill="currentColor" aria-hidden="true" />
            </span>
            <span className={styles.name}>{item.title}</span>
          </button>
        )
      ) : (
        <Skeleton height="100%" radius={0} />
      )}
      <button type="button" className={styles.close} aria-label={t("ui.close")} onClick={close}>
        <X aria-hidden="true" />
      </button>
    </main>
  );
}
