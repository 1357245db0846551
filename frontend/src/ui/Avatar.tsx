import { useState } from "react";
import styles from "./Avatar.module.css";

interface AvatarProps {
  readonly src: string | null;
  readonly name: string | null;
  readonly size: number;
}

/** A player's picture, or the first letter of the name. Hidden from screen readers, because the name stands beside it. */
export function Avatar({ src, name, size }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const letter = name?.trim().charAt(0).toUpperCase();
  return (
    <span
      className={styles.avatar}
      style={{ width: size, height: size, fontSize: size * 0.42 }}
      aria-hidden="true"
    >
      {src && broken !== src ? (
        <img src={src} alt="" width={size} height={size} loading="lazy" onError={() => setBroken(src)} />
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
