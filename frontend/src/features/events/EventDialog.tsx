import "@/ui/worlds.css";
import { formatDate } from "@/lib/format";
import { Dialog } from "@/ui/Dialog";
import type { PlayOnEvent } from "./api";
import styles from "./EventDialog.module.css";
import { EventPicture, eventWorld } from "./EventPicture";

interface EventDialogProps {
  readonly event: PlayOnEvent;
  readonly onClose: () => void;
}

/** An event in full. */
export function EventDialog({ event, onClose }: EventDialogProps) {
  return (
    <Dialog shape="sheet" title={event.title} onClose={onClose}>
      <div className={`${styles.frame} w-${eventWorld(event)}`}>
        <EventPicture event={event} className={styles.picture} />
      </div>
      <div className={styles.words}>
        <p className={styles.date}>{formatDate(new Date(event.createdAt))}</p>
        <p className={styles.text}>{event.description}</p>
      </div>
    </Dialog>
  );
}
