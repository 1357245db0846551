import "@/ui/worlds.css";
import { useQuery } from "@tanstack/react-query";
import { Info, Play } from "lucide-react";
import { useState } from "react";
import { formatDate } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { youtubeId } from "@/lib/youtube";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Steps } from "@/ui/Listing";
import { Skeleton } from "@/ui/Skeleton";
import { Stage } from "@/ui/Stage";
import { Video } from "@/ui/Video";
import { WorldArt } from "@/ui/WorldArt";
import { worldOf } from "@/ui/world";
import type { TvItem } from "./api";
import { tvQuery } from "./queries";
import styles from "./TvList.module.css";

/** An item whose link names a video. */
interface Watchable {
  readonly item: TvItem;
  readonly video: string;
}

function watchable(items: readonly TvItem[]): Watchable[] {
  return items.flatMap((item) => {
    const video = youtubeId(item.channelUrl);
    return video ? [{ item, video }] : [];
  });
}

/** The large video: its picture until a tap, then the player in its place. */
function Primary({ item, video }: Watchable) {
  const [isWatching, setWatching] = useState(false);
  if (isWatching) {
    return (
      <div className={styles.cinema}>
        <Video id={video} title={item.title} />
      </div>
    );
  }
  return (
    <button
      type="button"
      className={`${styles.primary} w-${worldOf(item.title)}`}
      aria-label={t("tv.play", { title: item.title })}
      onClick={() => setWatching(true)}
    >
      <WorldArt world={worldOf(item.title)} className={styles.picture} />
      <span className={styles.meta}>
        <span className={styles.words}>
          <span className={styles.headline}>{item.title}</span>
          <time dateTime={item.createdAt}>{formatDate(new Date(item.createdAt))}</time>
        </span>
        <span className={styles.knob}>
          <Play size={28} fill="currentColor" aria-hidden="true" />
        </span>
      </span>
    </button>
  );
}

interface ItemProps {
  readonly item: TvItem;
  readonly onWatch: (item: TvItem) => void;
}

function Item({ item, onWatch }: ItemProps) {
  return (
    <Card className={styles.item}>
      <span className={`${styles.thumb} w-${worldOf(item.title)}`}>
        <WorldArt world={worldOf(item.title)} className={styles.picture} />
        <span className={styles.glass}>
          <Play size={18} fill="currentColor" aria-hidden="true" />
        </span>
      </span>
      <div className={styles.about}>
        <h3 className={styles.title}>{item.title}</h3>
        <time className={styles.date} dateTime={item.createdAt}>
          {formatDate(new Date(item.createdAt))}
        </time>
        <Button variant="quiet" aria-label={`${t("tv.watch")}: ${item.title}`} onClick={() => onWatch(item)}>
          {t("tv.watch")}
        </Button>
      </div>
    </Card>
  );
}

function TvSkeleton() {
  return (
    <div role="status" aria-label={t("ui.loading")} className={styles.list}>
      <span className={`${styles.primary} ${styles.box} textured w-dash`} />
      <Skeleton height={120} radius={20} />
      <Skeleton height={120} radius={20} />
      <Skeleton height={120} radius={20} />
    </div>
  );
}

interface TvListProps {
  /** Shows an item full screen. */
  readonly onWatch: (item: TvItem) => void;
}

/** The primary video large, the others below it. */
export function TvList({ onWatch }: TvListProps) {
  const list = useQuery(tvQuery);
  if (list.isPending) return <TvSkeleton />;
  const all = watchable(list.data ?? []);
  const primary = all.find(({ item }) => item.primary);
  const others = all.filter((each) => each !== primary);
  if (all.length === 0) {
    return (
      <div role="alert">
        <Stage
          pose="sulk"
          world="maneno"
          title={t("tv.failed")}
          action={
            <Button busy={list.isFetching} onClick={() => void list.refetch()}>
              {t("ui.retry")}
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <>
      {primary ? <Primary {...primary} /> : null}
      <p className={styles.data}>
        <Info size={18} aria-hidden="true" />
        {t("tv.data")}
      </p>
      {others.length > 0 ? (
        <Steps className={styles.list} label={t("tv.others")}>
          {others.map(({ item }) => (
            <li key={item.id}>
              <Item item={item} onWatch={onWatch} />
            </li>
          ))}
        </Steps>
      ) : null}
    </>
  );
}
