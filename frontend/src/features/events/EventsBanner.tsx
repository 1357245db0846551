import "@/ui/worlds.css";
import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useRef, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import type { Overlay } from "@/lib/navigation";
import { Carousel } from "@/ui/Carousel";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { Listing } from "@/ui/Listing";
import type { PlayOnEvent } from "./api";
import { EventPicture, eventWorld } from "./EventPicture";
import styles from "./EventsBanner.module.css";
import { eventsQuery } from "./queries";
import { advances, useAutoAdvance } from "./useAutoAdvance";

const EventDialog = lazyOverlay(async () => (await import("./EventDialog")).EventDialog);

const OVERLAY = "event:";

/** The banner's box. */
export function EventsSkeleton() {
  return <div className={`${styles.slide} ${styles.box} textured w-maneno`} />;
}

interface EventsBannerProps {
  /** The page's overlays, of which an event's details are one. */
  readonly overlay: Overlay;
}

/** The events, one after another. A tap opens an event's details. */
export function EventsBanner({ overlay }: EventsBannerProps) {
  const events = useQuery(eventsQuery);
  return (
    <div className={styles.section}>
      <Listing
        compact
        query={events}
        skeleton={<EventsSkeleton />}
        empty={{ title: t("ui.empty"), text: t("events.empty"), world: "dash" }}
      >
        {(list) => <Slides events={list} overlay={overlay} />}
      </Listing>
    </div>
  );
}

interface SlidesProps extends EventsBannerProps {
  readonly events: readonly PlayOnEvent[];
}

/** The slides of the events, once they are loaded. */
export function Slides({ events, overlay }: SlidesProps) {
  const [wanted, setShown] = useState(0);
  const [isStopped, setStopped] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const banner = useRef<HTMLDivElement>(null);
  // The list may have become shorter since.
  const shown = Math.min(wanted, events.length - 1);
  const isPaused = overlay.current !== undefined || isStopped || isHeld;
  useAutoAdvance({ element: banner, count: events.length, shown, onShow: setShown, isPaused });
  const open = events.find(({ id }) => overlay.current === OVERLAY + id);
  return (
    <div
      ref={banner}
      className={styles.banner}
      onPointerDown={() => setHeld(true)}
      onPointerUp={() => setHeld(false)}
      onPointerCancel={() => setHeld(false)}
      onPointerLeave={() => setHeld(false)}
    >
      <Carousel
        label={t("events.title")}
        slideLabel={(number, count) => t("events.slide", { number, count })}
        shown={shown}
        onShow={setShown}
        slides={events.map((event) => ({
          id: event.id,
          content: (
            <button
              type="button"
              className={`${styles.slide} w-${eventWorld(event)}`}
              onClick={() => overlay.show(OVERLAY + event.id)}
            >
              <EventPicture event={event} className={styles.picture} />
              <span className={styles.words}>
                <span className={styles.title}>{event.title}</span>{" "}
                <span className={styles.text}>{event.description}</span>
              </span>
            </button>
          ),
        }))}
      />
      {events.length > 1 && advances() ? (
        <button
          type="button"
          className={styles.stop}
          aria-label={t(isStopped ? "events.resume" : "events.pause")}
          onClick={() => setStopped(!isStopped)}
        >
          {isStopped ? <Play size={16} aria-hidden="true" /> : <Pause size={16} aria-hidden="true" />}
        </button>
      ) : null}
      {open ? <EventDialog event={open} onClose={overlay.hide} /> : null}
    </div>
  );
}
