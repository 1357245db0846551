import { useState } from "react";
import { WorldArt } from "@/ui/WorldArt";
import { knownWorld, type World, worldOf } from "@/ui/world";
import type { PlayOnEvent } from "./api";

/** The world of the game that an event is about; for another event one of the worlds, always the same one. */
export function eventWorld({ title, description }: Pick<PlayOnEvent, "title" | "description">): World {
  return knownWorld(title) ?? knownWorld(description) ?? worldOf(title);
}

interface EventPictureProps {
  readonly event: PlayOnEvent;
  readonly className?: string | undefined;
}

/** An event's picture; the drawing of its world if it has none, or if the picture cannot be shown. */
export function EventPicture({ event, className }: EventPictureProps) {
  const [broken, setBroken] = useState(false);
  if (!event.eventBannerUrl || broken) return <WorldArt world={eventWorld(event)} className={className} />;
  return (
    <img
      className={className}
      src={event.eventBannerUrl}
      alt=""
      width={480}
      height={240}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
