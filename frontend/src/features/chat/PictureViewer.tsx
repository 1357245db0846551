import { Download, ZoomIn, ZoomOut } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { formatRelative } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { useServerNow } from "@/lib/useServerNow";
import { Dialog } from "@/ui/Dialog";
import type { Message } from "./api";
import { mediaUrl } from "./messages";
import styles from "./PictureViewer.module.css";
import { shapeOf } from "./picture";

interface PictureViewerProps {
  readonly message: Message;
  /** The sender's name, as the room shows it. */
  readonly name: string;
  readonly onClose: () => void;
}

/** The whole picture, over the room. A tap enlarges it; then it moves under the finger. */
export function PictureViewer({ message, name, onClose }: PictureViewerProps) {
  const [isLarge, setLarge] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  // An enlarged picture begins with its middle.
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || !isLarge) return;
    current.scrollLeft = (current.scrollWidth - current.clientWidth) / 2;
    current.scrollTop = (current.scrollHeight - current.clientHeight) / 2;
  }, [isLarge]);
  const now = new Date(useServerNow());
  const url = mediaUrl(message.message) ?? "";
  const shape = shapeOf(url);
  const zoomLabel = t(isLarge ? "chat.zoomOut" : "chat.zoomIn");
  return (
    <Dialog
      shape="screen"
      title={name}
      description={formatRelative(new Date(message.createdAt), now)}
      onClose={onClose}
    >
      <div ref={frame} className={styles.frame} data-large={isLarge}>
        {/* biome-ignore lint/a11y: the button below does the same for the keyboard */}
        <img
          // The thumbnail has loaded already, and stands in until the picture has.
          style={shape ? { backgroundImage: `url("${shape.thumbnail}")` } : undefined}
          src={url}
          width={shape?.width}
          height={shape?.height}
          alt={t("chat.picture")}
          onClick={() => setLarge(!isLarge)}
        />
      </div>
      <div className={styles.dock}>
        <button type="button" className={styles.action} onClick={() => setLarge(!isLarge)}>
          {isLarge ? <ZoomOut aria-hidden="true" /> : <ZoomIn aria-hidden="true" />}
          {zoomLabel}
        </button>
        <a className={styles.action} href={url} download>
          <Download aria-hidden="true" />
          {t("chat.downloadPicture")}
        </a>
      </div>
    </Dialog>
  );
}
