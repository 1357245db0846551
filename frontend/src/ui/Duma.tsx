import cheer from "./art/duma-cheer.svg";
import look from "./art/duma-look.svg";
import run from "./art/duma-run.svg";
import sleep from "./art/duma-sleep.svg";
import sulk from "./art/duma-sulk.svg";
import wave from "./art/duma-wave.svg";
import styles from "./Duma.module.css";

const poses = { wave, look, run, cheer, sulk, sleep };

export type Pose = keyof typeof poses;

interface DumaProps {
  readonly pose: Pose;
  /** Width and height in px. */
  readonly size: number;
}

/** The cheetah, PlayOn's character. One picture a pose, fetched when it is shown; decoration, so it has no text. */
export function Duma({ pose, size }: DumaProps) {
  return <img className={styles.duma} src={poses[pose]} alt="" width={size} height={size} decoding="async" />;
}
