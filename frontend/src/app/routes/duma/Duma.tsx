import cheer from "./duma-cheer.svg";
import look from "./duma-look.svg";
import sleep from "./duma-sleep.svg";
import sulk from "./duma-sulk.svg";
import wave from "./duma-wave.svg";

const poses = { cheer, look, sleep, sulk, wave };
export type Pose = keyof typeof poses;

export function Duma({ pose, size }: { readonly pose: Pose; readonly size: number }) {
  return <img src={poses[pose]} width={size} height={size} alt="" draggable={false} />;
}
