import { useState } from "react";
import styles from "./Avatar.module.css";

interface AvatarProps {
  readonly src: string | null;
  readonly name: string | null;
  readonly size: number;
}

/** The greatest size, in pixels of CSS, at which a thumbnail of 96 pixels is sharp enough. */
const THUMBNAIL_SIZE = 48;
/** The URL of a profile's picture. Its thumbnail has `-tjpg` behind the name (gateway/src/media/path.rs). */
const PICTURE = /^(.*\/media\/profile\/[^/]+\/[0-9a-f]{32})(\.jpg)$/;

/** The files that show a picture at a size, the best first. A picture of an earlier release has no thumbnail. */
export function filesOf(src: string, size: number): readonly string[] {
  const thumbnail = size <= THUMBNAIL_SIZE && PICTURE.test(src) ? [src.replace(PICTURE, "$1-tjpg$2")] : [];
  return [...thumbnail, src];
}

/** A player's picture, or the first letter of the name. Hidden from screen readers, because the name stands beside it. */
export function Avatar({ src, name, size }: AvatarProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const file = src && filesOf(src, size).find((each) => !broken.includes(each));
  const letter = name?.trim().charAt(0).toUpperCase();
  return (
    <span
      className={styles.avatar}
      style={{ width: size, height: size, fontSize: size * 0.42 }}
      aria-hidden="true"
    >
      {file ? (
        <img
          key={file}
          src={file}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          onError={() => setBroken([...broken, file])}
        />
      ) : letter ? (
        letter
      ) : (
        <svg viewBox="0 0 40 40" width="100%" height="100%" aria-hidden="true">
          <circle cx="20" cy="16" r="7" />
          <path d="M6 40c1-9 7-13 14-13s13 4 14 13Z" />
        </svg>
      )}
    </span>
  );
}
