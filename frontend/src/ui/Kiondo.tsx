import weave from "./art/kiondo.svg";
import styles from "./Kiondo.module.css";

interface KiondoProps {
  readonly scale?: number;
  /** Where the pattern fades out, so that text there stands on a plain background. */
  readonly plain: "left" | "bottom" | "middle";
}

/** The woven pattern of a kiondo basket, PlayOn's signature, behind the content of a screen's one hero surface. */
export function Kiondo({ scale = 1, plain }: KiondoProps) {
  const side = `${100 / scale}%`;
  return (
    <span className={`${styles.weave} ${styles[plain]}`}>
      <img src={weave} alt="" style={{ width: side, height: side, transform: `scale(${scale})` }} />
    </span>
  );
}
