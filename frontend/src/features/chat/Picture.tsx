import { decode, isBlurhashValid } from "blurhash";
import { useEffect, useRef } from "react";
import { t } from "@/lib/i18n/i18n";
import styles from "./Picture.module.css";
import { placeOf, shapeOf } from "./picture";

/** Pixels of a blur, in each direction: it is stretched over the picture's place. */
const BLUR = 24;

function Blur({ hash }: { readonly hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !isBlurhashValid(hash).result) return;
    const pixels = context.createImageData(BLUR, BLUR);
    pixels.data.set(decode(hash, BLUR, BLUR));
    context.putImageData(pixels, 0, 0);
  }, [hash]);
  return <canvas ref={canvas} className={styles.blur} width={BLUR} height={BLUR} />;
}

interface PictureProps {
  readonly url: string;
  /** Shows the whole picture; without it, the browser opens the link. */
  readonly onOpen?: (() => void) | undefined;
}

/** A picture of a message: its box and its colours at once, then the thumbnail; a tap opens the whole picture. */
export function Picture({ url, onOpen }: PictureProps) {
  const shape = shapeOf(url);
  return (
    <a
      className={styles.picture}
      href={url}
      target="_blank"
      rel="noopener"
      onClick={(event) => {
        // The keyboard's modifiers open a new tab, as for every link.
        if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey) return;
        // The tap selects the bubble, too, with the buttons to report or delete it.
        event.preventDefault();
        onOpen();
      }}
      style={shape ? { aspectRatio: placeOf(shape) } : undefined}
    >
      {shape ? <Blur hash={shape.blurHash} /> : null}
      <img
        src={shape?.thumbnail ?? url}
        width={shape?.width}
        height={shape?.height}
        alt={t("chat.picture")}
        loading="lazy"
        decoding="async"
      />
    </a>
  );
}
